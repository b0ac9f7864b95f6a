r"""PyTorch finds no NVIDIA driver, or no card.

PyTorch brings CUDA's libraries, not the driver, which belongs to the machine. It is missing in a
container that was started without the GPUs, on a machine without a card, and where the kernel module
is not loaded. A driver that is there may be too old for the CUDA that PyTorch was built with, and one
that works shows no card where `CUDA_VISIBLE_DEVICES` is empty.

Cure: `nvidia-smi` tells which of these it is: install or update the driver, start the container with
`--gpus all`, choose a PyTorch built for the driver's CUDA, or unset `CUDA_VISIBLE_DEVICES`.

Bad:

```python
import torch

x = torch.ones(3).cuda()  # seen: fails where no driver is
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(3, device=device)
```

Message (torch 1.13 to 2.13):

```text
RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx
```

Message (torch 1.13 to 2.13, an old driver):

```text
RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver by downloading and installing a new version from the URL: http://www.nvidia.com/Download/index.aspx Alternatively, go to: https://pytorch.org to install a PyTorch version that has been compiled with your version of the CUDA driver.
```

Message (torch 1.0):

```text
RuntimeError: cuda runtime error (35) : CUDA driver version is insufficient for CUDA runtime version at torch/csrc/cuda/Module.cpp:51
```

Message (torch 1.8 to 2.13):

```text
RuntimeError: No CUDA GPUs are available
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="PyTorch with CUDA and no driver")


@pitfall.explains(r"Found no NVIDIA driver on your system", odds=0.95)
def no_driver(failure: Failure) -> Hits:
    yield failure.hit(
        "the process sees no NVIDIA driver: in a container start it with --gpus all, elsewhere see "
        "whether `nvidia-smi` runs"
    )


@pitfall.explains(
    r"NVIDIA driver on your system is too old \(found version (?P<major>\d+)(?P<minor>\d\d)0\)",
    r"CUDA driver version is insufficient for CUDA runtime version",
    odds=0.95,
)
def old_driver(failure: Failure) -> Hits:
    major, minor = failure.groups.get("major"), failure.groups.get("minor", "")
    knows = f"knows CUDA {major}.{int(minor)} at most" if major else "is too old for this CUDA"
    yield failure.hit(f"the driver {knows}: update it, or install a PyTorch built for it")


@pitfall.explains(r"No CUDA GPUs are available", odds=0.9)
def no_card(failure: Failure) -> Hits:
    yield failure.hit(
        "the driver works and shows no card: CUDA_VISIBLE_DEVICES is empty or names none, or the "
        "container or notebook was given none"
    )
