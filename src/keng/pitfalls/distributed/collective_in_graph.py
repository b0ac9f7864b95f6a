r"""A collective works on a tensor that is still in the graph.

`dist.all_reduce(loss)` writes the sum of all ranks into the loss, and autograd knows nothing of it: backward goes through as if the call were not there, and what `all_gather` fills in has no graph at all. PyTorch
warns of the first when backward comes to it. Most often the sum was meant for the log alone, and DistributedDataParallel averages the gradients by itself.

Cure: `shown = loss.detach().clone()` and the collective on that, after backward; where gradients are to go through it, a collective that has a derivative, `torch.distributed.nn.functional.all_reduce`.

Bad:

```python
import warnings

import torch
import torch.distributed as dist

warnings.simplefilter("error")
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(2, 1)
loss = model(torch.ones(4, 2)).mean()
dist.all_reduce(loss)
loss.backward()  # seen: `as if it were not there`
```

Good:

```python
import warnings

import torch
import torch.distributed as dist

warnings.simplefilter("error")
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(2, 1)
loss = model(torch.ones(4, 2)).mean()
loss.backward()
shown = loss.detach().clone()
dist.all_reduce(shown)
dist.destroy_process_group()
```

Message (torch 2.13; `allgather_`):

```text
UserWarning: c10d::allgather_: an autograd kernel was not registered to the Autograd key(s) but we are trying to backprop through it. This may lead to silently incorrect behavior. This behavior is deprecated and will be removed in a future version of PyTorch.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"c10d::(?P<op>\w+): an autograd kernel was not registered to the Autograd key", odds=0.97
)
def without_derivative(failure: Failure) -> Hits:
    yield failure.hit(
        f"backward goes through `{failure.groups['op']}` as if it were not there: for the log loss.detach().clone() and the collective on that, "
        "and gradients are averaged by DistributedDataParallel"
    )
