r"""A container that runs loses its cards.

`docker run --gpus all` opens the cards' device files to the container, past systemd, which keeps the list of what a container may
open. When systemd reads its units anew, after `systemctl daemon-reload` or an update of a package, it writes its own list,
and the cards are gone: nvidia-smi fails inside with an unknown error while all is well on the host, and a program that
starts CUDA finds no card.

Cure: start the container again; so that it does not come back, `"exec-opts": ["native.cgroupdriver=cgroupfs"]` in
/etc/docker/daemon.json, or the links in /dev/char that `nvidia-ctk system create-dev-char-symlinks` makes.

Bad:

```python
import torch

x = torch.ones(1, device="cuda:0")
```

Good:

```python
import torch

x = torch.ones(1, device="cuda:0" if torch.cuda.is_available() else "cpu")
```

Message (nvidia-smi; `daemon-reload`):

```text
Failed to initialize NVML: Unknown Error
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="a container that has lost its cards")


@pitfall.explains(r"Failed to initialize NVML: Unknown Error", odds=0.85)
def taken_by_systemd(failure: Failure) -> Hits:
    yield failure.hit(
        "this container has lost its cards, as `systemctl daemon-reload` on the host takes them away: start it again; with "
        "cgroupfs as Docker's driver they stay"
    )
