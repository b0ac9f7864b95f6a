r"""A kernel is to be started with more threads, blocks or memory than the card has.

A kernel of one's own, of an extension or of Triton is started with sizes that were computed from a shape: an empty
tensor gives a grid of zero, an enormous one more blocks than are allowed, a large tile more shared memory than
this card has. PyTorch's own kernels say the same for tensors with more than 2**31 elements or without any.

Cure: look at the shape at this line: empty, or enormous; process it in parts; for one's own kernels fewer
threads or a smaller tile (`num_stages`, `BLOCK_SIZE`).

Bad:

```python
import torch

x = torch.ones(2**18, 1, 1, device="cuda")
y = torch.cdist(x, x)
```

Good:

```python
import torch

x = torch.ones(4, 1, 1)
y = torch.cdist(x, x)
```

Message (torch 1.0 to 2.13; `empty`):

```text
RuntimeError: CUDA error: invalid configuration argument
```

Message (torch 1.0 to 2.13; `registers`):

```text
RuntimeError: CUDA error: too many resources requested for launch
```

Message (Triton 2 to 3; `101376`):

```text
triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 262144, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.
```

Message (torch 0.4 to 1.4):

```text
RuntimeError: cuda runtime error (9) : invalid configuration argument at /pytorch/aten/src/THC/generic/THCTensorMathReduce.cu:18
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="an older PyTorch and a card")


@pitfall.explains(
    r"(?:(?:CUDA|HIP) error: |cuda runtime error \(9\) : )invalid configuration argument",
    r"too many resources requested for launch",
    odds=0.8,
)
def sizes_refused(failure: Failure) -> Hits:
    says = "a kernel is started with sizes that the card refuses: an empty batch (leave it out), over 65535 of batch x heads (in pieces), or an extension's too many threads"
    if "too many resources" in failure.message:
        says = "a kernel wants more registers than the card has: fewer threads for a block in an extension (__launch_bounds__), float32 for float64, or a build for this card"
    yield failure.hit(says)


@pitfall.explains(
    r"out of resources?: (?P<what>[\w ]{3,40}), Required: (?P<needs>\d+), Hardware limit: (?P<has>\d+)",
    odds=0.95,
)
def tile_too_large(failure: Failure) -> Hits:
    what, needs, has = (failure.groups[key] for key in ("what", "needs", "has"))
    yield failure.hit(
        f"a kernel of Triton wants {needs} of {what}, and the card has {has}: smaller blocks, fewer num_stages"
    )
