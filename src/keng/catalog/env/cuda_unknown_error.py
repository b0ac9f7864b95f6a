r"""CUDA cannot start, and does not say why.

The driver answers, so `nvidia-smi` looks normal, but CUDA's own part of it does not. Often the device
file `/dev/nvidia-uvm` is missing, in a container or because nothing has loaded the module
`nvidia_uvm`; or the machine has been suspended and the module has not recovered. The message itself
blames a change of `CUDA_VISIBLE_DEVICES` after the start, which is possible too.

Cure: `sudo nvidia-modprobe -u`, or reload the module: `sudo rmmod nvidia_uvm && sudo modprobe
nvidia_uvm`; a restart does the same. See with `fuser -v /dev/nvidia*` who holds the card.

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

Message (torch 1.8 to 2.13, a warning):

```text
UserWarning: CUDA initialization: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero. (Triggered internally at ../c10/cuda/CUDAFunctions.cpp:108.)
```

Message (torch 1.8 to 2.13, an error):

```text
RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a driver that does not answer")


@pitfall.explains(r"CUDA unknown error - this may be due to an incorrectly set up", odds=0.9)
def driver_left_broken(failure: Failure) -> Hits:
    yield failure.hit(
        "CUDA's part of the driver does not answer: /dev/nvidia-uvm is missing, or the module is broken "
        "after a suspend; sudo nvidia-modprobe -u, or reload nvidia_uvm"
    )
