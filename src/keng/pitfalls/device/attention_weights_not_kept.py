r"""Attention weights are asked of a kernel that never makes them.

The fused kernels behind `attn_implementation="sdpa"`, `"flash_attention_2"` and `"flex_attention"` are fast because they do not write the matrix of weights. `output_attentions=True` or a mask of heads wants
that matrix. Transformers 4 went over to the plain way with a warning; Transformers 5 warns and gives an empty tuple, or refuses.

Cure: `attn_implementation="eager"` at `from_pretrained` for the model whose weights are looked at; `output_attentions` left out for all others.

Bad:

```python
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model.config.output_attentions = True
```

Bad (asked in the call):

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
output = model(torch.tensor([[464]]), output_attentions=True)  # seen: an empty tuple
```

Proof:

```python
assert output.attentions == ()
```

Good:

```python
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1))
model.set_attn_implementation("eager")
output = model(torch.tensor([[464]]), output_attentions=True)
assert len(output.attentions) == 1
```

Message (transformers 5; `sdpa`):

```text
`sdpa` attention does not support `output_attentions=True`. Please set your attention to `eager` if you want any of these features.
```

Message (transformers 4.48 to 4.57; `sdpa`):

```text
`sdpa` attention does not support `output_attentions=True` or `head_mask`. Please set your attention to `eager` if you want any of these features.
```

Message (transformers 4.36 to 4.47; `by itself`):

```text
LlamaModel is using LlamaSdpaAttention, but `torch.nn.functional.scaled_dot_product_attention` does not support `output_attentions=True`. Falling back to the manual attention implementation, but specifying the manual implementation will be required from Transformers version v5.0.0 onwards. This warning can be removed using the argument `attn_implementation="eager"` when loading the model.
```

Message (transformers 5; `flash`):

```text
Flash Attention does not support `output_attentions=True`. Please set your attention to `eager` if you want any of these features.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning", needs="import transformers")


@pitfall.explains(
    r"`?(?P<kernel>sdpa|flex_attention|[Ff]lash)`? [Aa]ttention does not support `output_attentions=True`",
    r"`output_attentions` attribute is not supported when using the `attn_implementation` set to (?P<kernel>\w{3,40})",
    odds=0.97,
)
def never_made(failure: Failure) -> Hits:
    kernel = failure.groups["kernel"].lower()
    yield failure.hit(
        f'the kernel of `{kernel}` makes no attention weights to give back: attn_implementation="eager" at from_pretrained, or without output_attentions'
    )


@pitfall.explains(
    r"scaled_dot_product_attention` does not support .{0,50}?`output_attentions=True`", odds=0.96
)
def gone_over(failure: Failure) -> Hits:
    yield failure.hit(
        'the kernel makes no attention weights, and this layer takes the plain way by itself: right and slower; attn_implementation="eager" says it'
    )
