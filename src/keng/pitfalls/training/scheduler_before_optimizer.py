r"""The scheduler steps before the optimizer.

Since 1.1 a scheduler sets the first learning rate when it is made, and each `step()` goes on to the
next. Where `scheduler.step()` comes first, no optimizer step ever uses the first rate, and the whole
schedule runs one step early. PyTorch warns once. (With a `GradScaler` the same warning comes up in a
right order where the very first step is skipped because of infinite gradients; that is harmless.)

Cure: `optimizer.step()` first, `scheduler.step()` after it: at the end of the batch for a schedule that
counts batches, at the end of the epoch for one that counts epochs. `ReduceLROnPlateau` is given what it
watches: `scheduler.step(loss)`.

Bad:

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
rates = []
for epoch in range(3):
    scheduler.step()  # here: the rate 0.1 is never used
    for batch in range(2):
        optimizer.zero_grad()
        model(torch.ones(2, 4)).mean().backward()
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
```

Proof:

```python
assert rates[0] < 0.05
```

Bad (in each batch):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
rates = []
for batch in range(3):
    optimizer.zero_grad()
    model(torch.ones(2, 4)).mean().backward()
    scheduler.step()  # here: the rate 0.1 is never used
    rates.append(optimizer.param_groups[0]["lr"])
    optimizer.step()
```

Proof:

```python
assert rates[0] < 0.09
```

Bad (in each batch of the phase that trains):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
rates = []
for phase in ["train", "val"]:
    for batch in range(3):
        loss = model(torch.ones(2, 4)).mean()
        if phase == "train":
            scheduler.step()  # here: the rate 0.1 is never used
            rates.append(optimizer.param_groups[0]["lr"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
```

Proof:

```python
assert rates[0] < 0.09
```

Bad (made for each batch, stepped each epoch):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.ones(40, 4), batch_size=4)
scheduler = torch.optim.lr_scheduler.OneCycleLR(
    optimizer, max_lr=1.0, epochs=3, steps_per_epoch=len(loader)
)
rates = []
for epoch in range(3):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        rates.append(optimizer.param_groups[0]["lr"])
    scheduler.step()  # here: 3 steps of a cycle of 30
```

Proof:

```python
assert max(rates) < 0.2
```

Bad (counted in batches, stepped each epoch):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

EPOCHS = 3
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.ones(40, 4), batch_size=4)
total_steps = len(loader) * EPOCHS
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total_steps)
for epoch in range(EPOCHS):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    scheduler.step()  # here: 3 steps of 30
```

Proof:

```python
assert optimizer.param_groups[0]["lr"] > 0.09
```

Bad (no metric):

```python
import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = ReduceLROnPlateau(self.optimizer)

    def fit(self, batches):
        for batch in batches:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()
        self.scheduler.step()  # here: a plateau of what


try:
    Trainer(nn.Linear(4, 1)).fit(torch.ones(3, 2, 4))
except TypeError as error:
    raised = str(error)
```

Proof:

```python
assert "metrics" in raised
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
for epoch in range(3):
    for batch in range(2):
        optimizer.zero_grad()
        model(torch.ones(2, 4)).mean().backward()
        optimizer.step()
    scheduler.step()
```

Fine (a first step before the loop, and one under a condition):

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
model(torch.ones(2, 4)).mean().backward()
optimizer.step()
for batch in range(3):
    scheduler.step()
    optimizer.zero_grad()
    model(torch.ones(2, 4)).mean().backward()
    optimizer.step()


def train(steps):
    for batch in range(steps):
        if batch > 0:
            scheduler.step()
        optimizer.zero_grad()
        model(torch.ones(2, 4)).mean().backward()
        optimizer.step()


train(3)
```

Fine (a cycle of epochs; a cycle of batches, stepped in a function; a plateau of the loss):

```python
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR, ReduceLROnPlateau
from torch.utils.data import DataLoader


def train(model, loader, optimizer, scheduler=None):
    for batch in loader:
        loss = model(batch).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
    return loss.item()


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.ones(8, 4), batch_size=4)
by_epoch = OneCycleLR(optimizer, max_lr=1.0, total_steps=4)
for epoch in range(3):
    train(model, loader, optimizer)
    by_epoch.step()
by_batch = OneCycleLR(optimizer, max_lr=1.0, epochs=3, steps_per_epoch=len(loader))
for epoch in range(2):
    train(model, loader, optimizer, by_batch)
plateau = ReduceLROnPlateau(optimizer)
for epoch in range(3):
    loss = train(model, loader, optimizer)
    plateau.step(loss)
```

Message (torch 1.6 to 2.13, in mixed precision; `leaves out the first steps`):

```text
I train with scaler.step(optimizer), scaler.update() and then scheduler.step(), and at the first batch I get
UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.
```

Message (torch 1.1 to 2.13; `first learning rate is lost`):

```text
UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping the first value of the learning rate schedule. See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate
```
"""

from keng.explain.advice.steps import scheduled_early
from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.run.moments import SchedulerStep, UnfinishedSchedule
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def scheduled_first(code: Code) -> Hits:
    for loop in code.loops:
        for schedule, after in code.scheduled_first(loop):
            edits = code.moved_after(code.statement(schedule), after)
            fix = Fix("Step the scheduler after the optimizer", edits) if edits else None
            name = code.text_of(code.receiver(schedule))
            says = f"`{name}` steps before the optimizer, so its first learning rate is never used"
            yield code.hit(schedule, says, fix=fix)


@pitfall.finds
def plateau_without_its_metric(code: Code) -> Hits:
    for call in code.plateaus_without_metric():
        name = code.text_of(code.receiver(call))
        yield code.hit(call, f"`{name}` wants the metric that it watches: this raises a TypeError")


@pitfall.finds
def batches_counted_in_epochs(code: Code) -> Hits:
    for call, warms_up in code.cycles_by_epoch():
        says = f"`{code.text_of(code.receiver(call))}` was made for a step a batch and takes one"
        left = "it never leaves warm-up" if warms_up else "it hardly moves"
        yield code.hit(call, f"{says} an epoch: {left}")


@pitfall.explains(
    r"Detected call of `lr_scheduler\.step\(\)` before `optimizer\.step\(\)`", odds=0.9
)
def warned_of_the_order(failure: Failure) -> Hits:
    yield failure.hit(scheduled_early(failure))


@pitfall.watches("scheduler.step")
def stepped_first(schedule: SchedulerStep) -> Hits:
    if schedule.early:
        says = f"`{schedule.scheduler}` steps before its optimizer has"
        yield schedule.hit(f"{says}: the first rate is never used", rate=max(schedule.rates))


@pitfall.watches("schedule.unfinished")
def planned_for_batches(seen: UnfinishedSchedule) -> Hits:
    says = f"`{seen.scheduler}` was made for {seen.planned} steps, as many as the optimizer took,"
    says = f"{says} and took {seen.taken} itself: it was meant to step with each batch"
    yield seen.hit(says, where=seen.where, planned=seen.planned, taken=seen.taken)
