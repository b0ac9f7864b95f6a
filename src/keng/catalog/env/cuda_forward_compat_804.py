r"""A compatibility library stands before the driver's own.

CUDA's compatibility package brings a newer `libcuda.so`, so that new programs run on an old driver. It
works on data centre cards only. Many container images put it first on the library path, and on a
GeForce card with an older driver CUDA then refuses to start.

Cure: update the driver to what the image needs, take an image for the driver's CUDA, or remove
`/usr/local/cuda/compat` from `LD_LIBRARY_PATH` and from `/etc/ld.so.conf.d`.

Bad:

```python
import torch

x = torch.ones(3, device="cuda")
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(3, device=device)
```

Message (torch 1.8 to 2.13):

```text
UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 804: forward compatibility was attempted on non supported HW (Triggered internally at ../c10/cuda/CUDAFunctions.cpp:108.)
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(
    __name__, __doc__, severity="error", needs="a driver behind a compatibility library"
)


@pitfall.explains(r"forward compatibility was attempted on non supported HW", odds=0.95)
def compat_in_front(failure: Failure) -> Hits:
    yield failure.hit(
        "a libcuda of the CUDA compat package is found before the driver's own, and this card does not "
        "support it: update the driver, or take compat off the library path"
    )
