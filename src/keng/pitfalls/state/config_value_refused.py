r"""The configuration of a model holds a value that does not suit the model.

A configuration comes from `config.json` and from what `from_pretrained` or the class is given beside it. Transformers 5 holds each field to its kind, so that a number written as text, or a
float where a whole number belongs, is refused. `num_labels` and the names of `id2label` say the same thing twice. Ids of special tokens that lie beyond the vocabulary, as after a tokenizer has
grown, lead to an index out of range later, on a card to an assert.

Cure: mend `config.json`, or the argument; give `id2label` and `label2id` without `num_labels`; `model.resize_token_embeddings(len(tokenizer))` after tokens were added; what belongs to generating into
`model.generation_config`.

Bad (a number as a text):

```python
from transformers import BertConfig

config = BertConfig(hidden_size="768")  # seen: `hidden_size`
```

Bad (what belongs to generating):

```python
import tempfile

from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(
    GPT2Config(n_layer=1, n_embd=12, vocab_size=9, bos_token_id=0, eos_token_id=0)
)
model.config.max_length = 50
model.save_pretrained(tempfile.mkdtemp())  # seen: `max_length`
```

Good:

```python
import tempfile

from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(
    GPT2Config(n_layer=1, n_embd=12, vocab_size=9, bos_token_id=0, eos_token_id=0)
)
model.generation_config.max_length = 50
model.save_pretrained(tempfile.mkdtemp())
```

Message (transformers 4.1 to 4.57; `num_labels=3`):

```text
You passed along `num_labels=3` with an incompatible id to label map: {'0': 'LABEL_0', '1': 'LABEL_1'}. The number of labels wil be overwritten to 2.
```

Message (transformers 5; `id2label`):

```text
You passed `num_labels=3` which is incompatible to the `id2label` map of length `2`.
```

Message (transformers 5; `pad_token_id`):

```text
Model config: pad_token_id must be `None` or an integer within the vocabulary (between 0 and 31999), got 32000. This may result in unexpected behavior.
```

Message (transformers 5, of the first LLaMA checkpoints; `None`):

```text
Model config: pad_token_id must be `None` or an integer within the vocabulary (between 0 and 31999), got -1. This may result in unexpected behavior.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.explains(
    r"Field '(?P<name>\w{1,60})' expected (?P<wants>\w{1,40}), got (?P<came>\w{1,40}) \(value: (?P<value>[^\n()]{1,80}?)\)",
    odds=0.95,
)
def of_another_kind(failure: Failure) -> Hits:
    name, wants, came, value = (failure.groups[key] for key in ("name", "wants", "came", "value"))
    yield failure.hit(
        f"`{name}` of the configuration is {value}, a {came}, where {wants} alone is taken: see config.json, or what is given beside it"
    )


@pitfall.explains(
    r"You passed (?:along )?`num_labels=(?P<n>\d{1,9})` (?:with an incompatible id to label map: \{(?P<names>[^}\n]{0,1500})|which is incompatible to the `id2label` map of length `(?P<k>\d{1,9})`)",
    odds=0.93,
)
def counted_otherwise(failure: Failure) -> Hits:
    n, names, k = (failure.groups.get(key) for key in ("n", "names", "k"))
    names_count = k or str((names or "").count(":"))
    yield failure.hit(
        f"num_labels={n} meets an id2label of {names_count} names, those of the file where none are given: id2label and label2id of all {n} classes, without num_labels"
    )


@pitfall.explains(
    r"Model config: (?P<name>\w{3,40}) must be `None` or an integer within the vocabulary \(between 0 and (?P<last>\d{1,9})\), got (?P<came>[\w.-]{1,20})",
    odds=0.93,
)
def beyond_the_vocabulary(failure: Failure) -> Hits:
    name, last, came = (failure.groups[key] for key in ("name", "last", "came"))
    says = f"lies beyond the vocabulary, whose last id is {last}: model.resize_token_embeddings(len(tokenizer)) after tokens were added"
    if came.startswith("-"):
        says = "is the id of no token: None, where there is none"
    yield failure.hit(f"{name}={came} {says}")


@pitfall.explains(
    r"generation parameters are set in the model config\.[^{]{0,300}?arameters found: \{(?P<names>[^}\n]{1,300})",
    odds=0.93,
)
def for_generating(failure: Failure) -> Hits:
    names = failure.groups["names"].replace("'", "")
    yield failure.hit(
        f"the model's config holds {names}, and save_pretrained refuses it there: model.generation_config takes it, None in model.config"
    )
