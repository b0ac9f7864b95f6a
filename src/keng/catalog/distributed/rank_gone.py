r"""One rank has died, and the others wait for it.

The other processes of a run are not told that one has gone. They come to their next collective and
wait in it, until the launcher ends them or the time-out strikes, and then report that: the error that
counts is the one of the rank that went first. Without any error it was killed, most often by the kernel
because the memory of the machine or container was used up.

Cure: read the first error of the rank that is gone, not the last of the others; where it was killed,
look for memory: `dmesg`, the limit of the container, workers times batches held by each process.

Bad (2 ranks, one raises):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 1:
    config = {}["learning_rate"]
dist.all_reduce(torch.ones(1))  # seen: rank 1 never comes
```

Bad (2 ranks, one is killed):

```python
import os
import signal

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.barrier()
if dist.get_rank() == 1:
    os.kill(os.getpid(), signal.SIGKILL)
dist.all_reduce(torch.ones(1))  # seen: rank 1 never comes
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
dist.barrier()
config = {"learning_rate": 0.1}
dist.all_reduce(torch.ones(1))
```

Message (torch 2.13.0, gloo):

```text
RuntimeError: [/__w/pytorch/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:553] Connection closed by peer [127.0.0.1]:4515. This is typically caused by a remote worker crashing. Check the logs of the remote worker before reporting an error.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall
from keng.ranks import Ranks, spoken

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.compares
def others_wait(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or not parting.broken:
        return
    gone = ", ".join(str(side) for side in parting.broken)
    for side in parting.sides:
        if side.collective is not None:
            says = f"{gone}; {spoken(side.ranks)} waited in {side.collective}"
            yield ranks.hit(says, side.where)


@pitfall.explains(
    r"gloo/transport/tcp/\w+\.cc:\d+\] (?:Connection closed by peer|(?:Read|Write) error|Connection reset by peer)"
    r"(?: \[(?P<host>[\w.:%-]{1,80})\](?::(?P<port>\d+))?)?",
    odds=0.8,
)
def connection_lost(failure: Failure) -> Hits:
    host, port = failure.groups["host"], failure.groups["port"]
    which = f" at {host}:{port}" if port else f" at {host}" if host else ""
    yield failure.hit(
        f"the rank{which} ended while this one waited for it: its own error comes first"
    )
