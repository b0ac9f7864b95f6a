r"""The processes of gloo meet on network interfaces that do not reach each other.

gloo asks what address the machine's own name has, and gives that to the others, before any work is done; libraries that serve on several cards make such a group beside NCCL's. A name that `/etc/hosts` gives the
address 127.0.1.1, a bridge of Docker, a cable for storage, or IPv6 on one machine and IPv4 on the other lead nowhere. The error says little, even "no error".

Cure: `GLOO_SOCKET_IFNAME=eth0` on each machine, the interface that `ip -br addr` shows with the address that the others reach (NCCL_SOCKET_IFNAME alike); the machine's name with that address in `/etc/hosts`; in containers the
host's network; then firewalls.

Bad:

```python
import os

import torch.distributed as dist

os.environ["NCCL_SOCKET_IFNAME"] = "eth0"  # gloo does not read this one
dist.init_process_group("gloo")
```

Good:

```python
import os

import torch.distributed as dist

os.environ["NCCL_SOCKET_IFNAME"] = os.environ["GLOO_SOCKET_IFNAME"] = "eth0"
dist.init_process_group("gloo")
```

Message (torch 2.1 to 2.13; `GLOO_SOCKET_IFNAME`):

```text
RuntimeError: Gloo connectFullMesh failed with [../third_party/gloo/gloo/transport/tcp/pair.cc:144] no error
```

Message (torch 1.5 to 2.13; `GLOO_SOCKET_IFNAME`):

```text
RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:210] address family mismatch
```

Message (torch 1.10 to 2.6 under Windows and macOS; `the name of this machine`):

```text
RuntimeError: GlooDeviceFactory::makeUVDevice(): interface or hostname can't be empty
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several machines")


@pitfall.explains(
    r"Gloo connectFullMesh failed with \[\S{1,200}\] no error",
    r"gloo/transport/tcp/pair\.cc:\d{1,5}\] address family mismatch",
    odds=0.93,
)
def not_reached(failure: Failure) -> Hits:
    yield failure.hit(
        "gloo has taken a network interface that the others do not reach: GLOO_SOCKET_IFNAME=eth0 on each machine, the one that `ip -br addr` "
        "shows with the right address; lo where there is one machine alone"
    )


@pitfall.explains(r"interface or hostname can't be empty", odds=0.93)
def without_a_name(failure: Failure) -> Hits:
    yield failure.hit(
        "gloo finds no address for the name of this machine: GLOO_SOCKET_IFNAME with an interface, or the name with 127.0.0.1 in the hosts file"
    )
