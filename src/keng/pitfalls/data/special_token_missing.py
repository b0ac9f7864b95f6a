r"""A tokenizer lacks a token that is asked of it.

Padding, masking and the end of a text are tokens of their own, and not every vocabulary has all. GPT-2 and Llama have none for padding, and no model that writes from left to right has one for masking. A
classifier on such a model finds the last real token by the padding token of its configuration. A trainer's `eos_token` must be in the vocabulary.

Cure: `tokenizer.pad_token = tokenizer.eos_token`, and `model.config.pad_token_id = tokenizer.pad_token_id`; `mlm=False` for a model that predicts the next token.

Bad:

```python
import torch
from transformers import GPT2Config, GPT2ForSequenceClassification

model = GPT2ForSequenceClassification(GPT2Config(n_layer=1))
logits = model(torch.tensor([[464, 3290], [464, 3797]])).logits
```

Good:

```python
import torch
from transformers import GPT2Config, GPT2ForSequenceClassification

model = GPT2ForSequenceClassification(GPT2Config(n_layer=1, pad_token_id=50256))
logits = model(torch.tensor([[464, 3290], [464, 3797]])).logits
```

Message (transformers 4 and 5; `GPT2TokenizerFast`):

```text
ValueError: You are attempting to pad samples but the tokenizer you are using (GPT2TokenizerFast) does not have a pad token.
```

Message (transformers 4 and 5; `mlm=False`):

```text
ValueError: This tokenizer does not have a mask token which is necessary for masked language modeling. You should pass `mlm=False` to train on causal language modeling instead.
```

Message (TRL 0 and 1, with Unsloth; `eos_token`):

```text
ValueError: The specified `eos_token` ('<EOS_TOKEN>') is not found in the vocabulary of the given `processing_class` (Qwen2TokenizerFast). Ensure that the `eos_token` exists in the vocabulary before using it as an EOS token.
```

Message (torchtext 0.10 and later; `set_default_index`):

```text
RuntimeError: Token quokka not found and default index is not set
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import transformers")


@pitfall.explains(
    r"pad samples but the tokenizer you are using \((?P<tokenizer>\w{2,60})\) does not have a pad token",
    odds=0.97,
)
def nothing_to_pad_with(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['tokenizer']} has no token for padding: tokenizer.pad_token = tokenizer.eos_token before the collator is made"
    )


@pitfall.explains(r"Cannot handle batch sizes > 1 if no padding token is defined", odds=0.97)
def last_token_not_known(failure: Failure) -> Hits:
    yield failure.hit(
        "the classifier looks for the last token before the padding, and does not know the padding: model.config.pad_token_id = tokenizer.pad_token_id"
    )


@pitfall.explains(r"tokenizer does not have a mask token which is necessary for", odds=0.97)
def nothing_to_mask_with(failure: Failure) -> Hits:
    yield failure.hit(
        "the collator masks words, for models like BERT, and this tokenizer has no mask: mlm=False for a model that predicts the next token"
    )


@pitfall.explains(
    r"specified `(?P<which>eos_token|pad_token)` \('(?P<token>[^']{0,60})'\) is not found in the vocabulary of the given `processing_class` \((?P<tokenizer>\w{2,60})\)",
    odds=0.97,
)
def not_in_the_vocabulary(failure: Failure) -> Hits:
    which, token, tokenizer = (failure.groups[key] for key in ("which", "token", "tokenizer"))
    yield failure.hit(
        f"`{token}` is no entry of {tokenizer}: {which}=tokenizer.{which} in the trainer's config, or nothing at all"
    )


@pitfall.explains(r"Token (?P<token>.{1,60}?) not found and default index is not set", odds=0.97)
def no_number_for_the_unknown(failure: Failure) -> Hits:
    yield failure.hit(
        f"the vocabulary has no `{failure.groups['token']}`, and no number for what it does not know: specials=['<unk>'] when it is built, then vocab.set_default_index(vocab['<unk>'])"
    )
