r"""A model is trained past its DistributedDataParallel wrapper.

DDP averages the gradients of all ranks by hooks that its own forward sets up. `model.module(x)`, a method of
`model.module`, or the bare model that was wrapped, run the same layers without it: backward makes gradients and nobody
averages them, each rank trains on its own share, and the replicas drift apart in silence.

Cure: call the wrapper, `model(x)`, also for a loss that is a method of the model (call it from `forward`);
`model.module` is for saving and looking.

Bad:

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
averaged = []


def count(state, bucket):
    averaged.append(bucket.index())
    future = torch.futures.Future()
    future.set_result(bucket.buffer())
    return future


model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
model.register_comm_hook(None, count)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = model.module(torch.randn(8, 4)).square().mean()  # here: `model` itself is not called
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert not averaged
```

Bad (the bare model):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.Linear(4, 1)
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = net(torch.randn(8, 4)).square().mean()  # here: `net` is the model inside
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert model.module is net
```

Bad (in a method that the loop calls):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
averaged = []


def count(state, bucket):
    averaged.append(bucket.index())
    future = torch.futures.Future()
    future.set_result(bucket.buffer())
    return future


class Trainer:
    def __init__(self):
        self.model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
        self.model.register_comm_hook(None, count)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, steps):
        for step in range(steps):
            self.advance(torch.randn(8, 4))

    def advance(self, x):
        output = self.model.module(x)  # here: `self.model` itself is not called
        loss = output.square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


Trainer().fit(3)
```

Proof:

```python
assert not averaged
```

Good:

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (to look at it, without gradients):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.Linear(4, 1)
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    with torch.no_grad():
        shown = model.module(torch.ones(1, 4)) + net(torch.ones(1, 4))
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def called_inside(code: Code) -> Hits:
    for call in code.calls_past_wrapper():
        if code.grad_at(call) is not Grad.OFF:
            name = code.text_of(call.func)
            yield code.hit(
                call, f"`{name}` runs without its wrapper, whose hooks average gradients"
            )
