r"""A rank waited for the others until the time was up.

A collective or a meeting ends when every rank has come. Gloo gives up after thirty minutes, a store after
the timeout it was given. The rank that complains is the one that came; the one to look at did not:
it died, is still loading or saving, has fewer batches, or made another collective, for example under `if
rank == 0`.

Cure: look for the rank whose log ends first, or differs; give every rank the same number of steps
(`DistributedSampler`, `drop_last`, `join`); make every collective on all ranks; where one rank works
long, a barrier with a longer `timeout` in `init_process_group`.

Bad:

```python
import torch
import torch.distributed as dist

dist.init_process_group("nccl")
if dist.get_rank() == 0:
    dist.all_reduce(torch.ones(1, device="cuda"))  # seen: rank 0 waits alone
```

Good:

```python
import torch.distributed as dist

print(dist.is_available())
```

Message (torch 2.4, gloo; `gloo`):

```text
RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete
```

Message (torch 2.4, at a meeting point):

```text
torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several GPUs")


@pitfall.explains(
    r"gloo\S{0,80}\] Timed out waiting (?P<ms>\d+)ms for (?P<op>\w+) operation", odds=0.85
)
def waited_by_gloo(failure: Failure) -> Hits:
    seconds = int(failure.groups["ms"]) // 1000
    yield failure.hit(
        f"gloo waited {seconds} s in a {failure.groups['op']}: the other rank did not come"
    )


@pitfall.explains(
    r"Timed out after (?P<seconds>\d+) seconds waiting for clients\. (?P<came>\d+)/(?P<all>\d+) clients joined",
    odds=0.95,
)
def not_all_joined(failure: Failure) -> Hits:
    came, everyone = failure.groups["came"], failure.groups["all"]
    yield failure.hit(
        f"{came} of {everyone} processes came: one was not started, or cannot reach rank 0"
    )
