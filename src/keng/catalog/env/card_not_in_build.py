r"""This build of PyTorch has no kernels for the card.

A wheel holds machine code for a list of architectures. A card that is newer than the wheel (sm_120 with
a PyTorch for CUDA 12.4) or older than its oldest (Kepler, Maxwell) has none, and an extension was built
for those named in `TORCH_CUDA_ARCH_LIST` only. The warning with the list comes before the error.

Cure: a wheel that has the architecture: a newer CUDA for a new card, an older PyTorch for an old card;
`torch.cuda.get_arch_list()` beside `torch.cuda.get_device_capability()` tells.

Bad:

```python
import torch

x = torch.ones(3, device="cuda") + 1  # seen: fails where the build has no code for the card
```

Good:

```python
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(3, device=device) + 1
```

Message (torch 1.13 to 2.13):

```text
RuntimeError: CUDA error: no kernel image is available for execution on the device
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
```

Message (torch 2.5, the warning before it; `sm_120`):

```text
/opt/venv/lib/python3.11/site-packages/torch/cuda/__init__.py:235: UserWarning: NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.
The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.
```

Message (torch 1.3, an old card):

```text
/opt/venv/lib/python3.7/site-packages/torch/cuda/__init__.py:134: UserWarning: Found GPU0 GeForce GT 710 which is of cuda capability 3.5. PyTorch no longer supports this GPU because it is too old. The minimum cuda capability supported by this library is 3.7.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"with CUDA capability (?P<card>sm_\w+) is not compatible with the current PyTorch installation"
    r"(?:.{0,80}supports CUDA capabilities (?P<build>(?:sm_\w+ ?)+))?",
    r"which is of cuda capability (?P<card>[\d.]+)\. PyTorch no longer supports this GPU",
    odds=0.97,
)
def not_in_the_list(failure: Failure) -> Hits:
    card, build = failure.groups["card"], failure.groups.get("build", "").split()
    has = f", only up to {build[-1]}" if build else ""
    yield failure.hit(f"this build has no code for {card}{has}: install one that lists it")


@pitfall.explains(r"no kernel image is available for execution on the device", odds=0.9)
def no_code(failure: Failure) -> Hits:
    yield failure.hit(
        "the build of PyTorch, or of the extension that was called, has no machine code for this card"
    )
