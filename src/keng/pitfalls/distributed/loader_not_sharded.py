r"""Every rank works through the same batches.

`DistributedDataParallel` copies the model, not the data: where each process makes the same DataLoader,
all of them compute the same gradient, and the average of equal gradients is that gradient. The run
costs as many cards and trains no faster than on one. Where each shuffles with a seed of its own, the
batches differ, but each rank still goes through all of the data: an epoch trains on every sample as
often as there are ranks, and takes as long as on one card.

Cure: `DataLoader(data, sampler=DistributedSampler(data))`, with `sampler.set_epoch(epoch)` in each
epoch; or let an IterableDataset skip what is other ranks'.

Bad (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(24, 4), torch.randn(24, 1))
loader = DataLoader(data, batch_size=4, shuffle=True)  # here: all of the data, on each rank
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in loader:  # seen: the same batches on both ranks
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
```

Bad (2 ranks, each with an order of its own):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(24, 4), torch.randn(24, 1))
torch.manual_seed(dist.get_rank())
loader = DataLoader(data, batch_size=4, shuffle=True)  # here: all of the data, on each rank
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in loader:  # seen: samples that the other rank draws as well
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
torch.manual_seed(0)
data = TensorDataset(torch.randn(24, 4), torch.randn(24, 1))
loader = DataLoader(data, batch_size=4 // dist.get_world_size(), sampler=DistributedSampler(data))
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
```

Fine (2 ranks; all of them evaluate on the same data, or train on one constant batch to measure time):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dist.init_process_group("gloo")
batch_size = 8 // dist.get_world_size()
constant = DataLoader(TensorDataset(torch.ones(24, 4)), batch_size=batch_size)
held_out = DataLoader(TensorDataset(torch.arange(24.0).view(6, 4)), batch_size=2)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for (x,) in constant:
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    for (x,) in held_out:
        model(x)
```
Fine (2 ranks; each takes a share of its own):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

dist.init_process_group("gloo")
data = TensorDataset(torch.randn(24, 4), torch.randn(24, 1))
rank, world_size = dist.get_rank(), dist.get_world_size()
share = Subset(data, range(rank, 24, world_size))
loader = DataLoader(share, batch_size=4 // world_size, shuffle=True)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
```

Message (torch 1.0 to 2.13; `no DistributedSampler`):

```text
AttributeError: 'RandomSampler' object has no attribute 'set_epoch'
```

Message (torch 1.0 to 2.13; `no DistributedSampler`):

```text
AttributeError: 'SequentialSampler' object has no attribute 'set_epoch'
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.reports import Ranks, Told
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

ENOUGH = 3
"""Batches in a row; a small class or a short text may well be drawn twice."""

MANY = 8
"""Samples drawn by two ranks that are no chance, where no rank has drawn one twice."""


def digests(told: Told) -> tuple[int, ...]:
    return tuple(batch.digest for batch in told.batches)


@pitfall.finds
def whole_on_every_rank(code: Code) -> Hits:
    for loader in code.shuffled_whole():
        yield code.hit(loader, "every rank goes through all of the data: no sampler divides it")


@pitfall.compares
def same_batches(ranks: Ranks) -> Hits:
    if not ranks.replicated or not ranks.agreed(digests) or ranks.first is None:
        return
    batches = ranks.first.batches
    # One batch for all steps is meant: a measurement, or a model made to overfit it.
    if len(batches) < ENOUGH or len(set(digests(ranks.first))) < len(batches):
        return
    says = f"the last {len(batches)} batches looked at were the same on all {ranks.world} ranks"
    yield ranks.hit(says, batches[-1].where, step=ranks.step)


@pitfall.compares
def same_samples(ranks: Ranks) -> Hits:
    drawn = ranks.drawn_twice()
    if drawn is None or not ranks.replicated or drawn[1] < MANY or ranks.agreed(digests):
        return
    shuffled, twice = drawn
    says = f"each of {ranks.world} ranks shuffles all {shuffled.size} samples by itself"
    says += f": of those seen, {twice} were drawn by more than one"
    yield ranks.hit(says, shuffled.where, step=ranks.step)


pitfall.answers(
    {
        "'RandomSampler' object has no attribute 'set_epoch'": "the loader has no DistributedSampler, so that each process goes through all of the data, or there is one process: set_epoch only where one was given",
        "'SequentialSampler' object has no attribute 'set_epoch'": "the loader has no DistributedSampler, so that each process goes through all of the data, or there is one process: set_epoch only where one was given",
    },
    odds=0.95,
)
