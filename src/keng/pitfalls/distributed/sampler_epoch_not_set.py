r"""A distributed sampler gives every epoch the same order.

`DistributedSampler` shuffles by its seed and the epoch, so that all processes agree on one order
without talking. The epoch stays 0 unless `set_epoch` is called: every epoch then goes through the data
in the same order, and in the same batches.

Cure: `sampler.set_epoch(epoch)` at the start of each epoch.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler

data = list(torch.arange(8.0))
sampler = DistributedSampler(data, num_replicas=1, rank=0)  # here: no epoch is ever set
loader = DataLoader(data, batch_size=4, sampler=sampler)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
orders = []
for epoch in range(2):
    order = []
    for x in loader:
        optimizer.zero_grad()
        model(x[:, None]).square().mean().backward()
        optimizer.step()
        order += x.tolist()
    orders.append(order)
```

Proof:

```python
assert orders[0] == orders[1]
```

Bad (a sampler without a name, in a class that is given the loader):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


class Trainer:
    def __init__(self, model, train_data, optimizer):
        self.model, self.train_data, self.optimizer = model, train_data, optimizer
        self.orders = []

    def run_epoch(self):
        order = []
        for x in self.train_data:
            self.optimizer.zero_grad()
            self.model(x[:, None]).square().mean().backward()
            self.optimizer.step()
            order += x.tolist()
        self.orders.append(order)

    def train(self, epochs):
        for epoch in range(epochs):
            self.run_epoch()


data = list(torch.arange(8.0))
loader = DataLoader(
    data,
    batch_size=4,
    sampler=DistributedSampler(data, num_replicas=1, rank=0),  # here: no epoch is ever set
)
model = nn.Linear(1, 1)
trainer = Trainer(model, loader, torch.optim.SGD(model.parameters(), lr=0.01))
trainer.train(2)
```

Proof:

```python
assert trainer.orders[0] == trainer.orders[1]
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler

data = list(torch.arange(8.0))
sampler = DistributedSampler(data, num_replicas=1, rank=0)
loader = DataLoader(data, batch_size=4, sampler=sampler)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    sampler.set_epoch(epoch)
    for x in loader:
        optimizer.zero_grad()
        model(x[:, None]).square().mean().backward()
        optimizer.step()
```

Bad (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
data = TensorDataset(torch.arange(16.0).view(8, 2))
sampler = DistributedSampler(data)  # here: no epoch is ever set
loader = DataLoader(data, batch_size=4 // dist.get_world_size(), sampler=sampler)
model = nn.parallel.DistributedDataParallel(nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for epoch in range(3):
    for (x,) in loader:  # seen: three passes in the same order
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
data = TensorDataset(torch.arange(16.0).view(8, 2))
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=4 // dist.get_world_size(), sampler=sampler)
model = nn.parallel.DistributedDataParallel(nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for epoch in range(3):
    sampler.set_epoch(epoch)
    for (x,) in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
```

Fine (2 ranks, a sampler for evaluation):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
data = TensorDataset(torch.arange(16.0).view(8, 2))
held_out = DataLoader(data, batch_size=2, sampler=DistributedSampler(data))
model = nn.Linear(2, 1).eval()
for epoch in range(3):
    with torch.no_grad():
        for (x,) in held_out:
            model(x)
```

Fine (in order by choice; one epoch; a sampler for evaluation):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler

data = list(torch.arange(8.0))
ordered = DistributedSampler(data, num_replicas=1, rank=0, shuffle=False)
loader = DataLoader(data, batch_size=4, sampler=ordered)
once = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, num_replicas=1, rank=0))
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        model(x[:, None]).square().mean().backward()
        optimizer.step()
for x in once:
    optimizer.zero_grad()
    model(x[:, None]).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.ranks.reports import Ranks
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def same_order_in_every_epoch(code: Code) -> Hits:
    for made, sampler, epochs in code.samplers_over_epochs():
        if code.is_constant(code.argument(made, "shuffle", position=3), False):
            continue
        epoch, fix = code.counter(epochs) if epochs else "", None
        if epochs and epoch:
            line = code.new_line_before(epochs.node.body[0], f"{sampler}.set_epoch({epoch})")
            fix = Fix("Tell the sampler the epoch", (line,)) if line else None
        says = f"`{sampler}` is never told the epoch, so that each one has the same order"
        yield code.hit(made, says, fix=fix)
    for place, made in code.samplers_from_elsewhere():
        if not code.is_constant(code.argument(made, "shuffle", position=3), False):
            says = "has a DistributedSampler that is never told the epoch: each has the same order"
            yield code.hit(place, f"`{code.text_of(place)}` {says}")


@pitfall.compares
def same_order_again(ranks: Ranks) -> Hits:
    for again in ranks.first.passes if ranks.first else ():
        says = (
            f"{again.passes} passes over the data in the same order: the epoch stays {again.epoch}"
        )
        yield ranks.hit(says, again.where)
