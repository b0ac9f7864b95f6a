r"""The training loop waits for its data.

A step can begin when its batch is there. Where making a batch takes longer than a step, the device stands
idle for the rest, and a faster device changes nothing. Without workers the main process makes the batches
itself, between the steps; workers make them at the same time as the steps run.

Cure: `num_workers` up to the number of cores, `persistent_workers=True`, a larger `prefetch_factor`; decode
and resize once and store that; augmentation on the device; fewer bytes a sample.

Bad:

```python
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    def __len__(self):
        return 48

    def __getitem__(self, index):
        time.sleep(0.015)
        return torch.randn(4)


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x in DataLoader(Slow(), batch_size=2):  # seen: of its time waiting for data
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x in DataLoader(torch.randn(48, 4), batch_size=2):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
```

Fine (slow samples, and nothing is trained on them):

```python
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    def __len__(self):
        return 42

    def __getitem__(self, index):
        time.sleep(0.015)
        return torch.randn(4)


total = sum(x.sum() for x in DataLoader(Slow()))
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import StarvedLoop

pitfall = Pitfall(__name__, __doc__, severity="warning")

MUCH = 0.5
FELT = 0.5
"""Seconds waited in all. A program that is over sooner is no worse for it."""


@pitfall.watches("loader.starves")
def waits_for_data(loop: StarvedLoop) -> Hits:
    if loop.share < MUCH or loop.waited * loop.batches < FELT:
        return
    spare = loop.cores - loop.workers
    if not loop.workers:
        cure = f"num_workers=0 makes batches between the steps; {loop.cores} cores are there"
    elif spare > 0:
        cure = f"{loop.workers} workers are not enough; {loop.cores} cores are there"
    else:
        cure = f"{loop.workers} workers on {loop.cores} cores: each sample must cost less"
    says = f"the loop spends {loop.share:.0%} of its time waiting for data"
    yield loop.hit(f"{says}: {cure}", waited=loop.waited, worked=loop.worked, workers=loop.workers)
