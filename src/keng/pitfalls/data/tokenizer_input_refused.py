r"""A tokenizer is given what it cannot turn into tokens, or back into text.

A tokenizer takes texts: a `str`, a list of them, or pairs. None, the NaN of an empty cell, a number, a column of pandas or of a data set are none. Texts of several lengths are filled up with a padding
token, which GPT-2, Llama and many others do not have; a classifier on such a model wants its number too, to find the last real token. Ids are numbers from 0 on: the -100 of labels that
are left out, or logits, are none.

Cure: `dataset.filter(lambda row: row["text"])`, `list(column)`; `tokenizer.pad_token = tokenizer.eos_token` and `model.config.pad_token_id = tokenizer.pad_token_id`; `np.where(ids != -100, ids,
tokenizer.pad_token_id)` before `batch_decode`; `logits.argmax(-1)`.

Bad (an empty cell of a table):

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

words = Tokenizer(WordLevel({"good": 0, "bad": 1}, "bad"))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words)
batch = tokenizer(["good", float("nan")])  # seen: `NaN`
```

Bad (no token to fill with):

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

words = Tokenizer(WordLevel({"good": 0, "bad": 1}, "bad"))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words)
batch = tokenizer(["good", "bad"], padding=True)  # seen: `pad_token`
```

Bad (labels turned into text):

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

words = Tokenizer(WordLevel({"good": 0, "bad": 1}, "bad"))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words)
texts = tokenizer.batch_decode([[0, 1, -100]])  # seen: `-100`
```

Bad (a number for a text):

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

words = Tokenizer(WordLevel({"good": 0, "bad": 1}, "bad"))
batch = PreTrainedTokenizerFast(tokenizer_object=words)(5)  # seen: `list(column)`
```

Good:

```python
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast

words = Tokenizer(WordLevel({"good": 0, "bad": 1, "pad": 2}, "bad"))
tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="pad")
batch = tokenizer(["good", "bad"], padding=True)
texts = tokenizer.batch_decode([[0, 1, 2]])
```

Message (transformers 4.0 to 4.57; `list(column)`):

```text
ValueError: text input must of type `str` (single example), `List[str]` (batch or single pretokenized example) or `List[List[str]]` (batch of pretokenized examples).
```

Message (transformers 4.21 to 5; `None`):

```text
ValueError: You need to specify either `text` or `text_target`.
```

Message (transformers 4 and 5; `pad_token`):

```text
ValueError: Pipeline with tokenizer without pad_token cannot do batching. You can try to set it with `pipe.tokenizer.pad_token_id = model.config.eos_token_id`.
```

Message (tokenizers 0.10 to 0.21; `-100`):

```text
  File "/env/lib/python3.10/site-packages/transformers/tokenization_utils_fast.py", line 650, in _decode
    text = self._tokenizer.decode(token_ids, skip_special_tokens=skip_special_tokens)
OverflowError: out of range integral type conversion attempted
```

Message (tokenizers 0.10 to 0.21; `batch_decode`):

```text
TypeError: argument 'ids': 'list' object cannot be interpreted as an integer
```

Message (tokenizers 0.10 to 0.21; `argmax(-1)`):

```text
TypeError: argument 'ids': 'float' object cannot be interpreted as an integer
```

Message (transformers 4 and 5; `word_ids()`):

```text
ValueError: word_ids() is not available when using Python based tokenizers
```

Message (transformers 4; `return_offset_mapping`):

```text
NotImplementedError: return_offset_mapping is not available when using Python tokenizers. To use this feature, change your tokenizer to one deriving from transformers.PreTrainedTokenizerFast.
```

Message (transformers 4 and 5; `max_length=512`):

```text
Asking to truncate to max_length but no maximum length is provided and the model has no predefined maximum length. Default to no truncation.
```

Message (transformers 4; `{'labels': [1, 0]}`):

```text
Keyword arguments {'labels': [1, 0]} not recognized.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import tokenizers, transformers")

FILLED = "no token is there to fill texts up with: tokenizer.pad_token = tokenizer.eos_token, model.config.pad_token_id the same; a new '[PAD]' wants model.resize_token_embeddings(len(tokenizer)) too"
pitfall.answers(
    {
        "TextEncodeInput must be Union[TextInputSequence": "one of the batch is no text but None, the NaN of an empty cell, a number or a longer list: take such rows out first",
        "but the tokenizer does not have a padding token": FILLED,
        "Pipeline with tokenizer without pad_token cannot do batching": FILLED,
        "You need to specify either `text` or `text_target`": "the text that is given is None, as an empty cell or the wrong column is",
        "argument 'ids': 'list' object cannot be interpreted": "decode() is given a list of lists: batch_decode(), or one of them",
        "argument 'ids': 'float' object cannot be interpreted": "what is to be decoded are no ids but logits or other floats: logits.argmax(-1)",
        "but no maximum length is provided and the model has no predefined": "nothing is cut or filled, as the tokenizer knows no greatest length: max_length=512 in the call, or tokenizer.model_max_length",
    },
    odds=0.95,
)


@pitfall.explains(r"text input must (?:be )?of type `str`", odds=0.95)
def no_text(failure: Failure) -> Hits:
    yield failure.hit(
        "what is given is no text and no list of texts: a column is list(column), a cell that is empty (NaN) or a number is none"
    )


@pitfall.explains(
    r"out of range integral type conversion attempted|number too small to fit in target type",
    odds=0.93,
)
def ids_below_zero(failure: Failure) -> Hits:
    shown = failure.shows("decode")
    if shown or not failure.frames:
        yield failure.hit(
            "the ids to decode hold -100, the mark of labels that are left out: np.where(ids != -100, ids, tokenizer.pad_token_id)",
            sure=shown,
        )


@pitfall.explains(
    r"\b(?P<what>(?:tokens|sequence_ids|word_ids|token_to_\w{3,8}|words?_to_\w{3,8}|char_to_\w{3,8})\(\)|return_offsets?_mapping) is not available when using (?:Python|non-fast)",
    odds=0.95,
)
def slow_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} is of fast tokenizers alone, and this is a slow one: AutoTokenizer with use_fast=True, where the folder has a "
        "tokenizer.json or one can be made"
    )


@pitfall.explains(
    r"Keyword arguments? (?P<names>\{[^}\n]{3,200}\}|`\w{2,40}`) (?:not recognized\.|is not a valid argument for this processor)",
    odds=0.9,
)
def left_out(failure: Failure) -> Hits:
    yield failure.hit(
        f"the tokenizer or processor does not know {failure.groups['names']} and leaves it out: misspelt, of another version, or what the model takes"
    )
