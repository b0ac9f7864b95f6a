r"""Batch norm in DistributedDataParallel sees one rank's samples only.

A batch norm layer normalizes by the mean and variance of the samples at hand, and in
`DistributedDataParallel` these are one card's share. With a few samples a card they are noise, however
large the batch over all cards is. `SyncBatchNorm` takes them over all ranks; it runs on GPUs only, one
process a card.

Cure: `nn.SyncBatchNorm.convert_sync_batchnorm(model)` before wrapping; or a norm without a batch, as
`nn.GroupNorm`.

Bad (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(144, 1))
model = nn.parallel.DistributedDataParallel(net)  # here: 2 images a rank
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    model(torch.randn(2, 3, 8, 8)).square().mean().backward()
    optimizer.step()
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.GroupNorm(2, 4), nn.Flatten(), nn.Linear(144, 1))
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    model(torch.randn(2, 3, 8, 8)).square().mean().backward()
    optimizer.step()
```

Fine (2 ranks, enough samples on each):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    model(torch.randn(32, 4)).square().mean().backward()
    optimizer.step()
```

Fine (2 ranks, a norm that keeps its statistics):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4).eval(), nn.Linear(4, 1))
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    model(torch.randn(2, 4)).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.reports import Ranks, first_of
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")

FEW = 16
"""Samples on each rank. Below this the error of batch norm grows fast (Wu and He 2018, figure 1)."""


@pitfall.finds
def noisy_statistics(code: Code) -> Hits:
    wraps = code.wraps
    for wrap in wraps if wraps and not code.says("SyncBatchNorm", "sync_batchnorm") else ():
        layers = code.mode_layers(wrap.args[0]) if wrap.args else None
        few = code.few_on_each_rank(wrap)
        norms = {name for name in layers or () if "BatchNorm" in name}
        if few is not None and norms and not code.keeps_statistics(wrap.args[0]):
            yield code.hit(wrap, f"batch norm sees {few} samples a rank: its statistics are noise")


@pitfall.compares
def few_samples_each(ranks: Ranks) -> Hits:
    for replica in ranks.replicated:
        if not replica.normed or not 0 < replica.samples < FEW:
            continue
        samples = f"{replica.samples} sample{'s' * (replica.samples > 1)}"
        says = f"{first_of(replica.normed)} of `{replica.name}` sees {samples} on each of {ranks.world} ranks, not all of them"
        yield ranks.hit(says, replica.where)
