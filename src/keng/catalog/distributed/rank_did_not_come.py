r"""Not all processes came to the meeting point in time.

`init_process_group` waits until as many processes as WORLD_SIZE says have joined the store of rank 0. One
that was not started, died while it started, was given another address or port, or cannot reach the
machine of rank 0 makes all others wait until the timeout.

Cure: start as many processes as WORLD_SIZE says, on every machine; see the log of the one that is missing;
try the address, `nc -vz $MASTER_ADDR $MASTER_PORT`, from its machine.

Bad:

```python
import torch.distributed as dist

dist.init_process_group("nccl", timeout=None)  # seen: waits for those that were not started
print(dist.get_world_size())
```

Good:

```python
import torch.distributed as dist

print(dist.is_available())
```

Message (torch 2.4, at a meeting point):

```text
torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several machines")


@pitfall.explains(
    r"Timed out after (?P<seconds>\d+) seconds waiting for clients\. (?P<came>\d+)/(?P<all>\d+) clients joined",
    odds=0.95,
)
def not_all_joined(failure: Failure) -> Hits:
    came, everyone = failure.groups["came"], failure.groups["all"]
    yield failure.hit(
        f"{came} of {everyone} processes came: one was not started, or cannot reach rank 0"
    )
