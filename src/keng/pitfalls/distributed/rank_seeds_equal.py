r"""All ranks draw the same random numbers while they train.

The same seed on every rank gives the same dropout masks and the same augmentations everywhere: a batch
over eight ranks then holds one eighth of the variety. The same seed is right for one thing, building
equal models, and `DistributedDataParallel` sees to that itself.

Cure: `torch.manual_seed(seed + rank)`, and likewise for `random` and `numpy.random`.

Bad (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)  # here: one seed for all
model = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.full((2, 4), 1.0 + dist.get_rank())
for step in range(4):
    optimizer.zero_grad()
    model(x).square().mean().backward()  # seen: draws the same on both ranks
    optimizer.step()
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0 + dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.full((2, 4), 1.0 + dist.get_rank())
for step in range(4):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
```

Fine (2 ranks; equal seeds, and nothing is drawn in training):

```python
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.full((2, 4), 1.0 + dist.get_rank())
for step in range(4):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.ranks.reports import Ranks
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")

ENOUGH = 3
"""Steps at which something was drawn, from the same state on all ranks."""


@pitfall.finds
def one_seed_for_all(code: Code) -> Hits:
    drops = [w for w in code.wraps if w.args and "Dropout" in str(code.mode_layers(w.args[0]))]
    if not drops or not code.training_loops or code.seeded_by_rank():
        return
    for seed in code.seeds():
        yield code.hit(seed, "all ranks draw the same from here: dropout drops the same on each")


@pitfall.compares
def same_draws(ranks: Ranks) -> Hits:
    if not ranks.replicated or ranks.first is None:
        return
    for generator, states in ranks.first.drawn.items():
        if len(states) < ENOUGH or not all(
            told.drawn.get(generator) == states for told in ranks.told.values()
        ):
            continue
        says = f"all {ranks.world} ranks draw the same random numbers from {generator}"
        yield ranks.hit(says, ranks.first.where, step=ranks.step)
