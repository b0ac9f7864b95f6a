r"""The process group is made a second time.

`init_process_group` makes the one default group of a process. A second call, from a library that makes it too
(Lightning, Accelerate, DeepSpeed), from a notebook cell that runs again, or from a test that left it behind, is refused.

Cure: `if not dist.is_initialized():` around it, and `dist.destroy_process_group()` at the end; further groups
are `dist.new_group`'s.

Bad:

```python
import torch.distributed as dist

store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
dist.init_process_group("gloo", store=store, rank=0, world_size=1)  # seen: `is_initialized`
```

Good:

```python
import torch.distributed as dist

if not dist.is_initialized():
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.destroy_process_group()
```

Message (torch 0.1 to 0.4):

```text
RuntimeError: trying to initialize torch.distributed twice!
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"trying to initialize (?:the default process group|torch\.distributed(?:\.deprecated)?) twice",
    odds=0.97,
)
def made_before(failure: Failure) -> Hits:
    yield failure.hit(
        "the default group is there already, of a library or an earlier call: ask dist.is_initialized() first"
    )
