r"""The scheduler is made and never stepped.

A scheduler does nothing by itself: the learning rate is what the constructor has made of it, until `step()`
is called. Forgotten, a plan of decay or warm-up is a constant rate, and with a warm-up that rate is the
lowest of the plan. Nothing warns.

Cure: `scheduler.step()` after `optimizer.step()`, at the end of each batch or epoch, as it counts.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)  # seen: never stepped
rates = []
for epoch in range(6):
    for batch in DataLoader(torch.ones(20, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    rates.append(scheduler.get_last_lr())
```

Proof:

```python
assert rates[0] == rates[-1]
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
for epoch in range(6):
    for batch in DataLoader(torch.ones(20, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    scheduler.step()
```

Fine (stepped later, handed on, and one that waits for its turn):

```python
import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR, SequentialLR, StepLR
from torch.utils.data import DataLoader


def made(optimizer):
    plan = StepLR(optimizer, step_size=1)
    return {"plan": plan, "every": 10}


def training(plan):
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    late = plan(optimizer)
    first, then = LinearLR(optimizer), StepLR(optimizer, step_size=2)
    both = SequentialLR(optimizer, [first, then], milestones=[20])
    for epoch in range(6):
        for batch in DataLoader(torch.ones(20, 2), batch_size=5):
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        if epoch > 20:
            late["plan"].step()
            both.step()


training(made)
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import IdleSchedule

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("schedule.idle")
def stepped_by_nothing(seen: IdleSchedule) -> Hits:
    says = f"`{seen.scheduler}`, a {seen.kind}, was made here and never stepped"
    yield seen.hit(f"{says} in {seen.epochs} epochs: the rate stays as it is", epochs=seen.epochs)
