r"""A Triton kernel is started on another card than its tensors, or with a tensor of the CPU.

PyTorch's own operations look for the card of their arguments. A kernel of Triton's is started on the current card, the
first one where nothing was said, and refuses a pointer that this card cannot reach: of the CPU, or of another card. With
`device_map="auto"` or a model on `cuda:1` that is met in a layer of its own kernels, norms or attention most often.

Cure: `torch.cuda.set_device(rank)` first of all; `with torch.cuda.device(x.device):` around the call; inputs moved
to the card of the layer.

Bad:

```python
import torch
import triton
import triton.language as tl


@triton.jit
def doubled(x, out, n: tl.constexpr):
    at = tl.arange(0, n)
    tl.store(out + at, tl.load(x + at) * 2)


x = torch.ones(16)
doubled[(1,)](x, torch.empty(16, device="cuda"), 16)
```

Good:

```python
import torch

x = torch.ones(16)
out = x * 2
```

Message (Triton 2 and 3; `set_device`):

```text
ValueError: Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"Pointer argument (?:\(at (?P<argument>\d+)\) )?cannot be accessed from Triton \(cpu tensor\?\)",
    odds=0.93,
)
def pointer_out_of_reach(failure: Failure) -> Hits:
    number = failure.groups["argument"]
    which = f"argument {number} of" if number else "an argument of"
    yield failure.hit(
        f"{which} the Triton kernel lies on the CPU, or on another card than the current one: torch.cuda.set_device, or "
        "`with torch.cuda.device(x.device):`"
    )
