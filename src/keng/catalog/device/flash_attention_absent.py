r"""The fast kernels of attention are not there or cannot be used.

`scaled_dot_product_attention` chooses among kernels: flash, memory-efficient, cuDNN, or plain mathematics, which works always
and takes the memory of the whole matrix of scores. Builds for Windows have no flash kernels up to 2.4 or so; cards
before Ampere, float32, a mask, or heads wider than 256 rule them out. Where only such a kernel is allowed and it
cannot be used, there is none left.

Cure: nothing, where it is only warned of: the result is right. Otherwise float16 or bfloat16 on the card, and no
`sdpa_kernel` that forbids the mathematics; the lines above tell why each kernel was ruled out.

Bad (only a kernel that is not there):

```python
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

q = torch.ones(1, 2, 4, 8, device="cuda")
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    y = F.scaled_dot_product_attention(q, q, q)
```

Good:

```python
import torch
import torch.nn.functional as F

q = torch.ones(1, 2, 4, 8)
y = F.scaled_dot_product_attention(q, q, q)
```

Message (torch 2.0 to 2.13; `without flash attention`):

```text
UserWarning: 1Torch was not compiled with flash attention. (Triggered internally at ..\aten\src\ATen\native\transformers\cuda\sdp_utils.cpp:455.)
  attn_output = torch.nn.functional.scaled_dot_product_attention(
```

Message (torch 2.0 to 2.13; `no kernel is left`):

```text
RuntimeError: No available kernel. Aborting execution.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="cuda")


@pitfall.explains(r"Torch was not compiled with (?:flash|memory efficient) attention", odds=0.97)
def slower_but_right(failure: Failure) -> Hits:
    yield failure.hit(
        "this build or card is without flash attention, and another kernel is taken: slower, and right"
    )


@pitfall.explains(r"No available kernel\. Aborting execution", odds=0.95)
def none_left(failure: Failure) -> Hits:
    yield failure.hit(
        "no kernel is left for this attention: allow the mathematics, or float16 on a card that has the fast ones"
    )
