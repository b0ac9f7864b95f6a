r"""The scheduler steps before the optimizer.

Since 1.1 a scheduler sets the first learning rate when it is made, and each `step()` goes on to the
next. Where `scheduler.step()` comes first, no optimizer step ever uses the first rate, and the whole
schedule runs one step early. PyTorch warns once. (With a `GradScaler` the same warning comes up in a
right order where the very first step is skipped because of infinite gradients; that is harmless.)

Cure: `optimizer.step()` first, `scheduler.step()` after it: at the end of the batch for a schedule that
counts batches, at the end of the epoch for one that counts epochs.

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

Message (torch 1.1 to 2.13):

```text
UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping the first value of the learning rate schedule. See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate
```
"""

from keng.failures import Failure
from keng.model import Fix, Hits, Pitfall
from keng.moments import SchedulerStep
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


@pitfall.explains(
    r"Detected call of `lr_scheduler\.step\(\)` before `optimizer\.step\(\)`", odds=0.9
)
def warned_of_the_order(failure: Failure) -> Hits:
    says = "the scheduler stepped before the optimizer and its first learning rate is lost"
    yield failure.hit(f"{says}; harmless where a GradScaler skipped its first step")


@pitfall.watches("scheduler.step")
def stepped_first(schedule: SchedulerStep) -> Hits:
    if schedule.early:
        says = f"`{schedule.scheduler}` steps before its optimizer has"
        yield schedule.hit(f"{says}: the first rate is never used", rate=max(schedule.rates))
