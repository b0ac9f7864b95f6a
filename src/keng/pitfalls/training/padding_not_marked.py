r"""A model generates from a batch, and is not told which tokens are padding.

Prompts of several lengths are padded to one. Which tokens are padding stands in the attention mask. Without it `generate` looks for the padding token, and cannot where that
token also ends a text, as `pad_token = eos_token` makes it: then the padding is read as if it were text. A single prompt has no padding, and loses nothing; older
versions warn there too.

Cure: hand on all that the tokenizer gives, `model.generate(**tokenizer(texts, return_tensors="pt", padding=True))`, with `padding_side="left"`.

Bad:

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_layer=1)).eval()
prompts = torch.tensor([[50256, 50256, 15496], [464, 3290, 318]])
tokens = model.generate(prompts, max_new_tokens=4)  # seen: two end tokens are read as text
```

Proof:

```python
alone = model.generate(prompts[:1, 2:], max_new_tokens=4)
assert not torch.equal(tokens[0, 3:], alone[0, 1:])
```

Good:

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_layer=1)).eval()
prompts = torch.tensor([[50256, 50256, 15496], [464, 3290, 318]])
mask = torch.tensor([[0, 0, 1], [1, 1, 1]])
tokens = model.generate(prompts, attention_mask=mask, max_new_tokens=4, pad_token_id=50256)
alone = model.generate(prompts[:1, 2:], max_new_tokens=4)
assert torch.equal(tokens[0, 3:], alone[0, 1:])
```

Message (transformers 5; `attention_mask`):

```text
The attention mask is not set with a batched input, and cannot be inferred from input because pad token is same as eos token. As a consequence, you may observe unexpected behavior. Please pass your input's `attention_mask` to obtain reliable results.
```

Message (transformers 5; `attention_mask`):

```text
The attention mask and the pad token id were not set, with a batched input. As a consequence, you may observe unexpected behavior. Please pass your input's `attention_mask` to obtain reliable results.
```

Message (transformers 4; `single prompt`):

```text
The attention mask is not set and cannot be inferred from input because pad token is same as eos token. As a consequence, you may observe unexpected behavior. Please pass your input's `attention_mask` to obtain reliable results.
```

Message (transformers 4; `single prompt`):

```text
The attention mask and the pad token id were not set. As a consequence, you may observe unexpected behavior. Please pass your input's `attention_mask` to obtain reliable results.
```

Message (transformers 4.46 and about; `tokenizer.eos_token_id`):

```text
Setting `pad_token_id` to `eos_token_id`:None for open-end generation.
```

Message (transformers 4; `50256`):

```text
Setting `pad_token_id` to `eos_token_id`:50256 for open-end generation.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import transformers")


@pitfall.explains(
    r"attention mask (?:and the pad token id were|is) not set(?P<several>,? with a batched input)?",
    odds=0.95,
)
def mask_not_given(failure: Failure) -> Hits:
    alone = "" if failure.groups["several"] else "; a single prompt has none, and loses nothing"
    yield failure.hit(
        "which tokens are padding is not told, and cannot be seen where padding and end are one token: generate(**inputs), with the "
        f"attention_mask that the tokenizer gives{alone}"
    )


@pitfall.explains(r"Setting `pad_token_id` to `eos_token_id`: ?(?P<end>\d+|None)", odds=0.9)
def end_stands_in(failure: Failure) -> Hits:
    end = failure.groups["end"].replace("None", "tokenizer.eos_token_id")
    yield failure.hit(
        f"the model has no token for padding, and {end}, which ends a text, stands in: right with the attention mask; generate(..., pad_token_id={end}) says it"
    )
