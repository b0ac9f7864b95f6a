r"""The port at which the processes meet is taken.

Rank 0 listens at MASTER_PORT (29500 unless told otherwise). A second job on the machine, or processes of
a run that was broken off, hold it.

Cure: another port, `torchrun --master-port 29501` or `--rdzv-endpoint=localhost:0`; end what is left of
the earlier run.

Bad:

```python
import socket

import torch.distributed as dist

taken = socket.socket()
taken.bind(("127.0.0.1", 0))
taken.listen()
port = taken.getsockname()[1]
dist.TCPStore("127.0.0.1", port, 1, True)  # seen: somebody listens there already
```

Good:

```python
import torch.distributed as dist

store = dist.TCPStore("127.0.0.1", 0, 1, True)
```

Message (torch 2.0; `29500`):

```text
RuntimeError: The server socket has failed to listen on any local network address. The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use). The server socket has failed to bind to 0.0.0.0:29500 (errno: 98 - Address already in use).
```

Message (torch 2.4; `29500`):

```text
torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: 0, code: -98, name: EADDRINUSE, message: address already in use
```

Message (torch 1.8):

```text
RuntimeError: Address already in use
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"server socket has failed to (?:listen|bind) .{0,200}?(?:port: |\]:|[\d.]{7,15}:)(?P<port>\d{2,5})",
    r"[Aa]ddress already in use",
    odds=0.95,
)
def somebody_listens(failure: Failure) -> Hits:
    port = failure.groups.get("port", "")
    name = f"port {port}" if port else "the port"
    yield failure.hit(
        f"{name} is taken, by another job or what is left of one: torchrun --master-port 29501"
    )
