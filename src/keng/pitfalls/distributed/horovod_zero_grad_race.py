r"""Gradients are cleared while Horovod still averages them.

Horovod starts to average a gradient as soon as `backward` has made it, and `optimizer.step()` waits for all of them.
With two optimizers, or a second `backward` before the step, `zero_grad()` may clear what is still on its way.
Horovod refuses.

Cure: `optimizer.synchronize()` before that `zero_grad()`, and `with optimizer.skip_synchronize():` around the step
that follows; or step and clear one optimizer before the other's backward.

Bad:

```python
import horovod.torch as hvd
import torch
from torch import nn

hvd.init()
model = nn.Linear(4, 1)
optimizer = hvd.DistributedOptimizer(
    torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()
)
loss = model(torch.ones(2, 4)).sum()
loss.backward()
optimizer.zero_grad()  # seen: the averages are still on their way
optimizer.step()
```

Good:

```python
import horovod.torch as hvd
import torch
from torch import nn

hvd.init()
model = nn.Linear(4, 1)
optimizer = hvd.DistributedOptimizer(
    torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()
)
optimizer.zero_grad()
loss = model(torch.ones(2, 4)).sum()
loss.backward()
optimizer.step()
```

Message (Horovod 0.15 to 0.28):

```text
  File "/opt/venv/lib/python3.8/site-packages/horovod/torch/optimizer.py", line 335, in zero_grad
    raise AssertionError("optimizer.zero_grad() was called after loss.backward() "
AssertionError: optimizer.zero_grad() was called after loss.backward() but before optimizer.step() or optimizer.synchronize(). This is prohibited as it can cause a race condition.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="Horovod")


@pitfall.explains(
    r"optimizer\.zero_grad\(\) was called after loss\.backward\(\) but before", odds=0.98
)
def cleared_on_the_way(failure: Failure) -> Hits:
    says = "the gradients are still being averaged: step, or synchronize(), before zero_grad()"
    yield failure.hit(says)
