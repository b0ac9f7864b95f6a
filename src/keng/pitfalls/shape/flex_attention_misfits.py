r"""`flex_attention` gets heads, lengths or a mask that do not fit.

It takes four dimensions, (batch, heads, length, features), and compiles a kernel for them. A BlockMask is made for one pair of lengths and used with no
other; fewer heads in key and value want `enable_gqa=True`; the functions that it is given work on numbers of places, of which there are four for a mask
and a score before them. There is no backward on the CPU.

Cure: `create_block_mask(mask_mod, B, H, len_q, len_k, device=...)` anew for other lengths, or `block_mask._adjust`; `x.unsqueeze(1)` for a single head;
`scaled_dot_product_attention` on the CPU.

Bad (another length):

```python
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

causal = create_block_mask(lambda b, h, q, k: q >= k, 1, 1, 128, 128, device="cpu")
x = torch.ones(1, 2, 256, 16)
y = flex_attention(x, x, x, block_mask=causal)  # seen: made for `128`
```

Bad (fewer heads of keys):

```python
import torch
from torch.nn.attention.flex_attention import flex_attention

q, k = torch.ones(1, 4, 128, 16), torch.ones(1, 2, 128, 16)
y = flex_attention(q, k, k)  # seen: `enable_gqa=True`
```

Bad (no heads):

```python
import torch
from torch.nn.attention.flex_attention import flex_attention

x = torch.ones(2, 128, 16)
y = flex_attention(x, x, x)  # seen: `unsqueeze(1)`
```

Bad (a mask of two places):

```python
from torch.nn.attention.flex_attention import create_block_mask


def causal(q, k):
    return q >= k


mask = create_block_mask(causal, 1, 1, 128, 128, device="cpu")  # seen: `b, h, q_idx, kv_idx`
```

Good:

```python
from torch.nn.attention.flex_attention import create_block_mask

mask = create_block_mask(lambda b, h, q, k: q >= k, 1, 1, 128, 128, device="cpu")
```

Message (torch 2.13; `E=8`):

```text
ValueError: Expect query and key/value to have the same embedding dimension but got E=8 and E=16.
```

Message (torch 2.13; `the CPU`):

```text
NotImplementedError: FlexAttention does not support backward on CPU. Please set the input requires_grad to False or use another device.
```

Bad (what a mask is made of):

```python
import torch
from torch.nn.attention.flex_attention import create_block_mask

lower = torch.ones(128, 128).tril() > 0
mask = create_block_mask(lower, 1, 1, 128, 128, device="cpu")  # seen: `function`
```

Message (torch 2.13; `cuda:0 and cpu`):

```text
RuntimeError: Expect q/k/v and block_mask to be on the same device but got cuda:0 and cpu.
```

Message (torch 2.13; `AuxRequest(lse=True)`):

```text
ValueError: Cannot specify both return_lse and return_aux. return_lse is deprecated, please use return_aux=AuxRequest(lse=True) instead.
```

Message (torch 2.5 to 2.13; `Linux`):

```text
RuntimeError: flex_attention requires dynamo support
```

Message (torch 2.13; `TRITON_DECODE`):

```text
ValueError: Invalid BACKEND value 'DECODE'. Must be one of ('AUTO', 'TRITON', 'FLASH', 'TRITON_DECODE')
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"block_mask was created for block_mask\.shape=\((?P<made>[\d, ]+)\) but got q_len=(?P<q>\d+) and kv_len=(?P<k>\d+)",
    odds=0.97,
)
def of_another_length(failure: Failure) -> Hits:
    made, q, k = (failure.groups[key] for key in ("made", "q", "k"))
    yield failure.hit(
        f"the mask is made for ({', '.join(made.split(', ')[-2:])}), and the lengths are ({q}, {k}): create_block_mask for these"
    )


@pitfall.explains(
    r"Expect query and key/value to have the same (?P<what>embedding dimension|batch size)[^\n]{0,60}? but got (?P<sizes>[\w=, ]+\d)",
    odds=0.96,
)
def apart(failure: Failure) -> Hits:
    what, sizes = failure.groups["what"], failure.groups["sizes"]
    yield failure.hit(f"query and key differ in {what}: {sizes}")


@pitfall.explains(
    r"Expect q/k/v and block_mask to be on the same device but got (?P<one>[\w:]+) and (?P<other>[\w:]+)",
    odds=0.97,
)
def mask_elsewhere(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"query and block mask lie on {one} and {other}: create_block_mask(..., device=query.device)"
    )


@pitfall.explains(r"is not a callable object$", odds=0.95)
def mask_of_numbers(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/attention/flex_attention.py"):
        yield failure.hit(
            "a block mask is made of a function of (b, h, q_idx, kv_idx), not of a tensor: lambda b, h, q, k: mask[q, k]"
        )


BACKEND = "kernel_options has BACKEND= 'AUTO', 'TRITON', 'FLASH' or 'TRITON_DECODE', alone, and no FORCE_USE_FLEX_ATTENTION beside it"
INTERNAL = (
    "what the kernel gives back is not asked for in kernel_options: return_aux=AuxRequest(lse=True)"
)
CURES = {
    "Cannot specify both return_lse and return_aux": "one of the two: return_aux=AuxRequest(lse=True) is the newer way",
    "Returning max scores is not supported": "the largest scores are not given back here: AuxRequest(lse=True) alone, on a CUDA device",
    "flex_attention requires dynamo support": "flex_attention is compiled, and torch.compile does not work on this Python or system: a supported Python, Linux",
    "BACKEND cannot be combined with legacy": BACKEND,
    "Invalid BACKEND value": BACKEND,
    "OUTPUT_LOGSUMEXP must not be in kernel_options": INTERNAL,
    "OUTPUT_MAX must not be in kernel_options": INTERNAL,
    "have the same number of heads but got Hq=": "key and value have fewer heads than query: enable_gqa=True",
    "number of query heads to be a multiple of kv heads": "the heads of query are a multiple of those of key: see their shapes",
    "NYI: query, key, and value must be 4D tensors": "flex_attention takes (batch, heads, length, features): unsqueeze(1) for a single head",
    "Expected 4 or 5 positional args, got": "a mask_mod takes (b, h, q_idx, kv_idx), a score_mod the score before them",
    "FlexAttention does not support backward on": "on the CPU and MPS flex_attention has no backward: a CUDA device, or "
    "scaled_dot_product_attention",
    "Cannot use mask_mod from a sliced BlockMask": "a piece of a BlockMask has lost its mask_mod: set piece.mask_mod anew",
    "FlexAttention is only supported on": "flex_attention runs on CUDA, CPU, HPU and MPS: scaled_dot_product_attention elsewhere",
    "flex_attention does not support NestedTensor": "flex_attention takes no nested tensors: pad them, and mask the padding",
}
pitfall.answers(CURES, odds=0.97)
