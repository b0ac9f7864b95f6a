r"""A model is moved or cast after it was wrapped by DistributedDataParallel.

DistributedDataParallel hangs itself on the gradients of the parameters when it is made. To move the
parameters, or to cast them, puts other memory under them, and the old hooks are gone: each process goes
on with its own gradients, the copies of the model drift apart, and no error tells.

Cure: move and cast first, wrap last.

Bad:

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(nn.Linear(4, 1))
model.double()  # seen: the gradients are no longer averaged
model(torch.randn(8, 4, dtype=torch.float64)).mean().backward()
dist.destroy_process_group()
```

Good:

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = nn.Linear(4, 1).double()
model = DistributedDataParallel(model)
model(torch.randn(8, 4, dtype=torch.float64)).mean().backward()
dist.destroy_process_group()
```

Fine (moved to where it is already):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(nn.Linear(4, 1))
model.to("cpu")
model(torch.randn(8, 4)).mean().backward()
dist.destroy_process_group()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import MovedModule

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("module.moved")
def hooks_lost(seen: MovedModule) -> Hits:
    says = f"`{seen.module}` was wrapped by DistributedDataParallel before: other memory now lies under"
    yield seen.hit(f"{says} its parameters, and their gradients are no longer averaged")
