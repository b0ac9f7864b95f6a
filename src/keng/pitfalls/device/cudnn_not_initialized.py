r"""The cuDNN library cannot start.

cuDNN is started by the first convolution or recurrent layer that runs on the GPU, and needs memory for
itself then. Where it cannot start, the card is nearly full, several copies of cuDNN are mixed (the one
that came with PyTorch, the system's, one in `LD_LIBRARY_PATH`), or its cache of compiled kernels,
`~/.nv/ComputeCache`, is damaged or belongs to another user.

Cure: look at the free memory with `nvidia-smi`, keep one cuDNN, and remove `~/.nv/ComputeCache`;
`torch.backends.cudnn.enabled = False` shows whether cuDNN is to blame.

Bad (nothing is left for cuDNN):

```python
import torch
from torch import nn

free, total = torch.cuda.mem_get_info()
hoard = torch.empty(free, dtype=torch.uint8, device="cuda")
y = nn.Conv2d(3, 8, 3).cuda()(torch.ones(1, 3, 8, 8, device="cuda"))
```

Good:

```python
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
y = nn.Conv2d(3, 8, 3).to(device)(torch.ones(1, 3, 8, 8, device=device))
```

Message (torch 1.3 to 2.13):

```text
RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED
```

Machine (a cache that is another user's: `may not be written`):

```toml
user = 54321
home = "/home/u"
[files]
"/home/u/.nv/ComputeCache/index" = "kernels"
```

Machine (a full card: `card 0 has 210 of 24564 MiB free`):

```toml
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
[answers]
nvidia-smi = "0, NVIDIA GeForce RTX 4090, 8.9, 24564, 210, 550.90.07\n"
```

Sound (a free card, a cache of one's own):

```toml
home = "/home/u"
[files]
"/proc/driver/nvidia/version" = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024"
"/home/u/.nv/ComputeCache/index" = "kernels"
[answers]
nvidia-smi = "0, NVIDIA GeForce RTX 4090, 8.9, 24564, 23800, 550.90.07\n"
```

"""

from keng.env.machine import Machine
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a card that is full")

ENOUGH = 500
"""MiB that a context of CUDA and cuDNN take about."""


@pitfall.explains(r"CUDNN_STATUS_NOT_INITIALIZED", odds=0.85)
def could_not_start(failure: Failure) -> Hits:
    yield failure.hit(
        "cuDNN cannot start: mostly the card is full (nvidia-smi, a smaller batch); else a build older than the card (RTX 30 wants CUDA 11), "
        "another cuDNN in LD_LIBRARY_PATH, or a damaged ~/.nv/ComputeCache"
    )


@pitfall.probes
def cache_of_another_user(machine: Machine) -> Hits:
    folder = machine.variable("CUDA_CACHE_PATH") or f"{machine.home}/.nv/ComputeCache"
    status = machine.status(folder)
    if (
        machine.user
        and status is not None
        and status.st_uid != machine.user
        and not status.st_mode & 0o022
    ):
        yield machine.hit(
            f"{folder} may not be written by this user, so every start compiles anew or fails",
            f"sudo rm -r {folder}",
            {folder: f"owner {status.st_uid}, mode {status.st_mode & 0o777:o}"},
        )


@pitfall.probes
def card_is_full(machine: Machine) -> Hits:
    for card in machine.cards_answered() if machine.driver else ():
        free, total = card["memory.free"], card["memory.total"]
        if free.isdecimal() and int(free) < ENOUGH:
            yield machine.hit(
                f"card {card['index']} has {free} of {total} MiB free: neither CUDA nor cuDNN starts there",
                "nvidia-smi --query-compute-apps=pid,used_memory --format=csv",
                {"nvidia-smi": f"card {card['index']}: {free} of {total} MiB free"},
            )
