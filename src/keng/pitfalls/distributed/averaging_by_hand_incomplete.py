r"""What the ranks average by hand is not all that they must share.

A program may do itself what `DistributedDataParallel` does: reduce every gradient between backward and
the optimizer's step. That makes one model of several only where all the rest is done as well. The
parameters must be equal before the first step, for equal gradients keep equal what is equal. No gradient
may be left out: a parameter that each rank moves by its own data is another on each soon. And
`all_reduce` sums: without a division the step of SGD is as many times as long as there are ranks.
Where a parameter has a gradient on some ranks only, as an expert that another's batch did not choose,
`if p.grad is not None` leaves the call out on the others: their next one meets it, of another parameter.

Cure: `dist.broadcast(p.data, src=0)` for each parameter and buffer before training; reduce the gradient of
each parameter, zeros where there is none, and divide it by `dist.get_world_size()`. Or let
`DistributedDataParallel` do it all.

Bad (2 ranks, parameters that were never made equal):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()  # seen: by one gradient, two models
```

Bad (2 ranks, a bias left out):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    for parameter in model.parameters():
        if parameter.dim() > 1:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()  # seen: each rank moves its bias by its own data
```

Bad (2 ranks, each learns with another expert, and their calls are of two parameters):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(3):
    optimizer.zero_grad()
    expert = model[1 + (step + dist.get_rank()) % 2]
    expert(model[0](torch.randn(8, 4))).square().mean().backward()
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()  # seen: an expert is stepped on one rank, by gradients of both
```

Bad (2 ranks, a sum for a mean):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(3):
    optimizer.zero_grad()
    (model(torch.randn(8, 4)) - 1).square().mean().backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()  # seen: twice as far as with the mean
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.Linear(4, 4)
for parameter in model.parameters():
    dist.broadcast(parameter.data, src=0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
```

Fine (2 ranks; losses that are sums add up to that of all samples, and Adam divides by the size):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model, other = nn.Linear(4, 4), nn.Linear(4, 4)
sgd = torch.optim.SGD(model.parameters(), lr=0.01)
adam = torch.optim.Adam(other.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(3):
    for net, optimizer in ((model, sgd), (other, adam)):
        optimizer.zero_grad()
        (net(torch.randn(8, 4)) - 1).square().sum().backward()
        for parameter in net.parameters():
            dist.all_reduce(parameter.grad)
        optimizer.step()
```

Fine (2 ranks; zeros for the expert that a rank has not chosen):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(3):
    optimizer.zero_grad()
    expert = model[1 + (step + dist.get_rank()) % 2]
    expert(model[0](torch.randn(8, 4))).square().mean().backward()
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
```

Fine (2 ranks; an expert of each rank's own beside what they share, and a model averaged now and then):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
shared, local = nn.Linear(4, 4), nn.Linear(4, 4)
torch.manual_seed(dist.get_rank())
expert = nn.Linear(4, 4)
model = nn.Sequential(shared, expert)
optimizer = torch.optim.SGD([*model.parameters(), *local.parameters()], lr=0.01)
for step in range(4):
    optimizer.zero_grad()
    x = torch.randn(8, 4)
    (model(x).square().mean() + local(x).square().mean()).backward()
    for parameter in shared.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
    if step % 2:
        for parameter in local.parameters():
            dist.all_reduce(parameter.data)
            parameter.data /= dist.get_world_size()
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks, first_of

pitfall = Pitfall(__name__, __doc__, severity="error")

BY_LENGTH = {"SGD", "ASGD"}
"""Optimizers whose step is as long as the gradient; others divide by its size."""


@pitfall.compares
def never_made_equal(ranks: Ranks) -> Hits:
    for each in ranks.reductions():
        found = [name for name in each.reduced if each.differs(name)]
        if found:
            model = each.first
            says = f"{first_of(found)} of `{model.name}` differs between the ranks, its gradient does not: "
            yield ranks.hit(
                f"{says}it was never made equal", model.where, step=ranks.step, differ=len(found)
            )


@pitfall.compares
def left_out(ranks: Ranks) -> Hits:
    for each in ranks.reductions():
        model = each.first
        for name in each.own:
            ranks.since.setdefault((f"own gradients of {model.name}", name), ranks.step)
        # Alike when it was first left out, and no more: it is not kept alike in another way.
        since = {
            n: ranks.since.get((f"own gradients of {model.name}", n), 0) for n in model.gradients
        }
        found = [
            n for n, step in since.items() if step and n not in each.reduced and each.differs(n)
        ]
        if found and each.reduced:
            lacking = each.lacking(found[0])
            whose = f"is not there on {spoken(lacking)}" if lacking else "is each rank's own"
            says = f"the gradient of {first_of(found)} of `{model.name}` {whose}"
            rest = f"those of {len(each.reduced)} others are reduced over the ranks"
            yield ranks.hit(f"{says}, {rest}", model.where, since=since[found[0]])


@pitfall.compares
def summed(ranks: Ranks) -> Hits:
    first = ranks.first
    if first is None or first.counts_ranks or first.adds_up:
        return
    for each in ranks.reductions():
        model = each.first
        if each.is_sum and model.optimizer in BY_LENGTH:
            says = f"the gradient of `{model.name}` is the sum over {ranks.world} ranks, and not divided"
            longer = f"steps of {model.optimizer} are {ranks.world} times as long"
            yield ranks.hit(f"{says}: {longer}", model.where)
