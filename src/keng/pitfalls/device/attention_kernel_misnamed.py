r"""The kernel of an attention is named in a way that PyTorch does not know, or is asked for what it has not.

`sdpa_kernel` takes members of `SDPBackend`, no texts. A `CausalBias` says already that the attention is causal, so that `is_causal=True` beside it says it twice. Other flash
kernels, `activate_flash_attention_impl("FA3")`, come from a package of their own, for some cards, and take fewer options than the built-in one; `varlen_attn` takes fewer still where
cuDNN computes it.

Cure: `sdpa_kernel(SDPBackend.FLASH_ATTENTION)`; one of `attn_mask=causal_upper_left(n, m)` and `is_causal=True`; the built-in kernel, where an option is refused.

Bad (a text):

```python
from torch.nn.attention import sdpa_kernel

with sdpa_kernel("flash"):  # seen: `SDPBackend.FLASH_ATTENTION`
    pass
```

Bad (causal twice):

```python
import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_upper_left

q = torch.ones(1, 1, 4, 16)
mask = causal_upper_left(4, 4)
y = F.scaled_dot_product_attention(q, q, q, attn_mask=mask, is_causal=True)  # seen: `is_causal`
```

Bad (a bias for every head):

```python
from torch.nn.attention.bias import causal_lower_right

mask = causal_lower_right(2, 4, 4)  # seen: `two lengths`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import causal_upper_left

q = torch.ones(1, 1, 4, 16)
with sdpa_kernel(SDPBackend.MATH):
    y = F.scaled_dot_product_attention(q, q, q, attn_mask=causal_upper_left(4, 4))
```

Message (torch 2.13; `FA4`):

```text
ValueError: Unknown flash attention impl 'FA9'. Available implementations: ['FA3', 'FA4']
```

Message (torch 2.13; `dropout`):

```text
RuntimeError: FA3 flash_attention forward unsupported: dropout_p must be 0
```

Message (torch 2.13; `FA3`):

```text
RuntimeError: Module 'flash_attn_interface' does not expose FA3 kernels
```

Message (torch 2.13; `built-in`):

```text
RuntimeError: cuDNN backend does not support window attention. Please use Flash Attention backend.
```

Message (torch 2.0 to 2.13; `is_causal`):

```text
RuntimeError: _scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True
```

Message (torch 2.13; `no_grad`):

```text
RuntimeError: block_table is an inference-only parameter.
```

Message (transformers 4 and 5; `flash`):

```text
ValueError: Specified `attn_implementation="flash"` is not supported. The only possible arguments are `attn_implementation="eager"` (manual attention implementation), `"attn_implementation=flash_attention_2"` (implementation using flash attention 2), `"attn_implementation=sdpa"` (implementation using torch.nn.functional.scaled_dot_product_attention)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Unknown flash attention impl '(?P<name>[^'\n]{0,60})'\. Available implementations: \[(?P<known>[^\]\n]{0,200})\]",
    odds=0.97,
)
def no_such_kernel(failure: Failure) -> Hits:
    name, known = failure.groups["name"], failure.groups["known"]
    yield failure.hit(f"there is no flash attention `{name}` here, but {known}")


@pitfall.explains(
    r"\b(?P<kernel>FA[34]) (?:flash_attention|SDPA) (?:forward|backward) unsupported: (?P<why>[^\n]{3,150})",
    odds=0.97,
)
def refused_by_it(failure: Failure) -> Hits:
    kernel, why = failure.groups["kernel"], failure.groups["why"].rstrip(". ")
    yield failure.hit(
        f"the kernel {kernel}, which was activated, does not take this ({why}): restore_flash_attention_impl() for the built-in one"
    )


@pitfall.explains(
    r"Module '(?P<module>[\w.]{1,80})' does not expose (?P<kernel>FA[34]) (?:forward |backward )?kernels",
    odds=0.97,
)
def package_of_another_version(failure: Failure) -> Hits:
    module, kernel = failure.groups["module"], failure.groups["kernel"]
    yield failure.hit(f"`{module}` is there and has no kernels of {kernel}: another version of it")


CUDNN = "cuDNN computes this, with fewer options than flash attention: without this one, or the built-in flash kernel"
FUTURE = "block_table and seqused_k are for inference, as they have no gradient: under no_grad, on tensors that need none"
TWO = (
    "a causal bias has two lengths, of query and key, and serves all heads: causal_upper_left(n, m)"
)
CAUSAL = "one of the two: is_causal=True, or a mask, which is then causal itself"
pitfall.answers(
    {
        "Backend must be an instance of SDPBackend or": "a kernel is named by a member of SDPBackend, not by a text: SDPBackend.FLASH_ATTENTION",
        "CausalBias should not be used with causal=True": CAUSAL,
        "Explicit attn_mask should not be set when is_causal": CAUSAL,
        "causal_upper_left only supports 2D": TWO,
        "causal_lower_right only supports 2D": TWO,
        "supported with the cuDNN backend": CUDNN,
        "cuDNN backend does not support": CUDNN,
        " is an inference-only parameter": FUTURE,
    },
    odds=0.96,
)


@pitfall.explains(
    r'Specified `attn_implementation="(?P<name>[^"\n]{1,100})"` is not supported', odds=0.96
)
def not_known_to_transformers(failure: Failure) -> Hits:
    yield failure.hit(
        f"Transformers knows no attention `{failure.groups['name']}` for this model: 'sdpa', 'eager', or 'flash_attention_2' where flash-attn is installed"
    )
