r"""A kernel was compiled by a CUDA newer than the driver.

Kernels are shipped as machine code for some cards and as PTX, which the driver compiles for the others.
A driver understands only the PTX of its own CUDA version and of those before. So an extension, Triton
or a library built with a newer toolkit fails, though PyTorch itself runs, as its own code needs no
compiling.

Cure: update the driver, or build with the toolkit that `nvidia-smi` names as CUDA version, or for the
card's own architecture (`TORCH_CUDA_ARCH_LIST="8.6"`), so that no PTX is needed.

Bad (an extension built with a newer toolkit):

```python
import torch

source = "template <typename T> T twice(T x) { return x + x; }"
twice = torch.cuda.jiterator._create_jit_fn(source)
y = twice(torch.ones(4, device="cuda"))
```

Good:

```python
import torch

x = torch.ones(4)
y = x + x
```

Message (torch 1.8 to 2.13):

```text
RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a driver older than the toolkit")


@pitfall.explains(r"provided PTX was compiled with an unsupported toolchain", odds=0.95)
def newer_than_the_driver(failure: Failure) -> Hits:
    yield failure.hit(
        "the driver is older than the CUDA that compiled this kernel: update it, or build for the "
        "card's own architecture (TORCH_CUDA_ARCH_LIST)"
    )
