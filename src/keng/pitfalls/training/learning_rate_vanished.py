r"""Training goes on after the schedule has brought the learning rate to nothing.

A schedule is made for a number of steps. One that is meant for epochs and stepped at every batch is
through in the first epoch; one whose `T_max` or `total_iters` is too short has ended early. Steps are
still taken, at a rate at which float32 weights do not move, and no error tells.

Cure: step the scheduler once for what it was made for, and give it the whole length:
`T_max=epochs * len(loader)` for a step at each batch.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)
for epoch in range(6):
    for batch in range(10):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
        scheduler.step()  # seen: `StepLR` has brought the rate
```

Bad (a rate that is set by hand):

```python
import math

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(6):
    for batch in torch.utils.data.DataLoader(torch.randn(96, 4), batch_size=8):
        for group in optimizer.param_groups:
            done = min(epoch / 3, 1)
            group["lr"] = 0.05 * (1 + math.cos(math.pi * done))  # seen: from 0.1 to 0
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)
for epoch in range(6):
    for batch in range(10):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
    scheduler.step()
```

Fine (a schedule that ends at zero; one that comes back; a warm-up that begins at zero):

```python
import torch
from torch import nn
from torch.optim import lr_scheduler

torch.manual_seed(0)
model = nn.Linear(4, 1)
for kind, settings in (
    (lr_scheduler.CosineAnnealingLR, {"T_max": 40}),
    (lr_scheduler.CosineAnnealingWarmRestarts, {"T_0": 10}),
    (lr_scheduler.LinearLR, {"start_factor": 1e-8, "total_iters": 10}),
):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = kind(optimizer, **settings)
    for step in range(40):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
        scheduler.step()
```

Fine (one that is set by hand, to nothing for a few steps, and for the last):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(6):
    for step, batch in enumerate(DataLoader(torch.randn(80, 4), batch_size=8)):
        optimizer.param_groups[0]["lr"] = 0.0 if step < 4 or epoch == 5 else 0.1
        optimizer.zero_grad()
        model(batch).square().mean().backward()
        optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import VanishedRate

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("rate.vanished")
def stepping_without_moving(seen: VanishedRate) -> Hits:
    by = f"`{seen.scheduler}`" if seen.scheduler else "the program"
    says = f"{by} has brought the rate of `{seen.optimizer}` from {seen.initial:.3g}"
    says = f"{says} to {seen.rate:.1e}, and training goes on"
    yield seen.hit(says, where=seen.where, rate=seen.rate, steps_since=seen.steps)
