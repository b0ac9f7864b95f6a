r"""A scheduler takes more steps than it was made for.

`OneCycleLR` is told the whole number of steps and refuses the next one. It is most often made for epochs and
stepped for each batch, with the length of another loader, or continued after a resume.

`CosineAnnealingLR` says nothing: past `T_max` its rate climbs again, up and down with each `T_max` batches.

Cure: `OneCycleLR(optimizer, max_lr, epochs=epochs, steps_per_epoch=len(loader))`, stepped once for each batch;
for accumulation the number of optimizer steps; for a longer run a scheduler made for its length.

Bad:

```python
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=3)
for epoch in range(3):
    for batch in torch.ones(4, 5, 2):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()  # seen: `made for 3`
```

Bad (a cosine for epochs, in each batch):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)
for epoch in range(3):
    for batch in DataLoader(torch.ones(40, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()  # seen: `made for 3 steps, as many as there were epochs, and took 24`
```

Fine (made for the batches):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=12)
for epoch in range(3):
    for batch in DataLoader(torch.ones(20, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()
```

Fine (made for the epochs):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)
for epoch in range(3):
    for batch in DataLoader(torch.ones(20, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    scheduler.step()
```

Fine (it is to go up and down):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
for epoch in range(3):
    for batch in DataLoader(torch.ones(20, 2), batch_size=5):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches, epochs = torch.ones(4, 5, 2), 3
scheduler = torch.optim.lr_scheduler.OneCycleLR(
    optimizer, max_lr=0.1, epochs=epochs, steps_per_epoch=len(batches)
)
for epoch in range(epochs):
    for batch in batches:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()
```

Message (torch 1.3 to 1.13):

```text
ValueError: Tried to step 5002 times. The specified number of total steps is 5000
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import HurriedSchedule

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Tried to step (?P<n>\d+) (?:times|steps)[.,]? The specified number of (?:total )?steps is (?P<made>\d+)",
    odds=0.97,
)
def too_many_steps(failure: Failure) -> Hits:
    made, step = failure.groups["made"], failure.groups["n"]
    yield failure.hit(
        f"the scheduler was made for {made} steps and takes step {step}: tell it epochs and steps_per_epoch as "
        "they are, step it once for each; a state that is loaded brings the length of its run",
        failure.mended("for_all_rounds"),
    )


@pitfall.watches("schedule.hurried")
def epochs_counted_in_batches(seen: HurriedSchedule) -> Hits:
    says = f"the cosine was made for {seen.planned} steps, as many as there were epochs, and took {seen.taken}:"
    yield seen.hit(
        f"{says} its rate goes up and down again", planned=seen.planned, taken=seen.taken
    )
