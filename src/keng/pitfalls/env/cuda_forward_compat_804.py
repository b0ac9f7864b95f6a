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

Machine (`libcuda.so.580.65.06` of compat on a card for players):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024"
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA GeForce RTX 4090\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/etc/ld.so.conf.d/00-compat.conf" = "/usr/local/cuda/compat\n"
"/usr/local/cuda/compat/libcuda.so.1" = { link = "libcuda.so.580.65.06" }
"/usr/local/cuda/compat/libcuda.so.580.65.06" = ""
```

Machine (not sure: the card's name is not known):

```toml
[environment]
LD_LIBRARY_PATH = "/usr/local/cuda/compat:/usr/local/cuda/lib64"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024"
"/usr/local/cuda/compat/libcuda.so.1" = { link = "libcuda.so.580.65.06" }
"/usr/local/cuda/compat/libcuda.so.580.65.06" = ""
```

Sound (cards for data centres; the driver's own library; a compat that is not on the way):

```toml
[environment]
LD_LIBRARY_PATH = "/usr/local/cuda/compat"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.06  Wed Jun 26 06:46:07 UTC 2024"
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA H100 80GB HBM3\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/usr/local/cuda/compat/libcuda.so.1" = { link = "libcuda.so.580.65.06" }
"/usr/local/cuda/compat/libcuda.so.580.65.06" = ""
```

Sound (compat is not on the library path):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024"
"/proc/driver/nvidia/gpus/0000:01:00.0/information" = "Model: \t\t NVIDIA GeForce RTX 4090\nDevice Minor: \t 0\n"
"/dev/nvidia0" = ""
"/usr/lib/x86_64-linux-gnu/libcuda.so.1" = { link = "libcuda.so.535.183.01" }
"/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01" = ""
"/usr/local/cuda/compat/libcuda.so.1" = { link = "libcuda.so.580.65.06" }
"/usr/local/cuda/compat/libcuda.so.580.65.06" = ""
```
"""

from keng.env.machine import Machine
from keng.env.nvidia import VERSION_FILE
from keng.env.packages import numbers
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(
    __name__, __doc__, severity="error", needs="a driver behind a compatibility library"
)
pitfall.breaks("no-nvidia-driver", "map-location-missing")


@pitfall.explains(r"forward compatibility was attempted on non supported HW", odds=0.95)
def compat_in_front(failure: Failure) -> Hits:
    yield failure.hit(
        "a libcuda of the CUDA compat package is found before the driver's own, and this card does not "
        "support it: update the driver, or take compat off the library path"
    )


@pitfall.probes
def newer_than_the_driver(machine: Machine) -> Hits:
    driver, cards = machine.driver, machine.cards
    first = next(iter(machine.libraries("libcuda")), None)
    if not driver or first is None or first.version <= numbers(driver) or not first.by:
        return
    kinds = {card.for_data_centres for card in cards}
    if kinds == {True}:
        return  # forward compatibility is made for these
    model = next((card.model for card in cards if card.for_data_centres is False), "")
    yield machine.hit(
        f"{first.name} is found before the one of the driver {driver}, and "
        f"{model or 'only a card for data centres'} "
        f"{'does not support' if model else 'supports'} that: CUDA does not start",
        first.off_the_way,
        {
            VERSION_FILE: driver,
            first.path: f"found by {first.by}",
            **{c.file: c.model for c in cards},
        },
        sure=bool(model),
    )
