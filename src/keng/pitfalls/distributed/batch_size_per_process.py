r"""The batch of all ranks together is larger than the one that the learning rate was chosen for.

`batch_size` of a DataLoader is that of one process. `DataParallel` split a batch over the cards;
`DistributedDataParallel` has one batch on each, and averages their gradients: eight ranks with 64
samples take one step for 512. A learning rate from a run on one card is then too small or, if it was
scaled up for `DataParallel`, meant for something else.

Cure: choose one of the two: divide the batch, `batch_size // dist.get_world_size()`, or scale the
learning rate with the number of ranks.

Bad (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
data = TensorDataset(torch.arange(48.0).view(24, 2))
loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data))
model = nn.parallel.DistributedDataParallel(nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for (x,) in loader:  # seen: 4 on each of 2 ranks make 8
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
data = TensorDataset(torch.arange(48.0).view(24, 2))
batch_size = 4 // dist.get_world_size()
loader = DataLoader(data, batch_size=batch_size, sampler=DistributedSampler(data))
model = nn.parallel.DistributedDataParallel(nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for (x,) in loader:
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
```

Fine (2 ranks, the learning rate grows with them):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
data = TensorDataset(torch.arange(48.0).view(24, 2))
loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data))
model = nn.parallel.DistributedDataParallel(nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4 * dist.get_world_size())
for (x,) in loader:
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.reports import Ranks

pitfall = Pitfall(__name__, __doc__, severity="hint")


@pitfall.compares
def batches_add_up(ranks: Ranks) -> Hits:
    first = ranks.first
    if not ranks.replicated or first is None or first.counts_ranks or not first.batches:
        return
    sizes = [told.batches[-1].size for told in ranks.told.values() if told.batches]
    says = f"{sizes[0]} on each of {ranks.world} ranks make {sum(sizes)} samples a step"
    # The learning rate may have been chosen for all of them.
    yield ranks.hit(
        f"{says}, and nothing is scaled by their number", first.batches[-1].where, False
    )
