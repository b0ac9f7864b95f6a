r"""A run is resumed, and a part of its checkpoint is left behind.

Weights are not all that training is made of. Adam without its moments begins with large steps, as at the
very start; a scheduler that was not restored begins its schedule anew, warm-up and all; a GradScaler
searches its scale again. The loss jumps, or is just a little worse in the end, and no error tells.

Cure: restore all that was saved: `optimizer.load_state_dict(checkpoint["optimizer"])`, the scheduler, the
scaler.

Bad:

```python
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters())
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, file)

file.seek(0)
checkpoint = torch.load(file)  # seen: its `optimizer` is not restored
model.load_state_dict(checkpoint["model"])
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(checkpoint["epoch"], 8):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Good:

```python
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters())
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, file)

file.seek(0)
checkpoint = torch.load(file)
model.load_state_dict(checkpoint["model"])
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(checkpoint["optimizer"])
for epoch in range(checkpoint["epoch"], 8):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (schedulers that restore themselves):

```python
import io

import torch
from torch import nn
from torch.optim import lr_scheduler


class Warm(lr_scheduler.LRScheduler):
    def get_lr(self):
        return [rate * min(1, self.last_epoch / 4) for rate in self.base_lrs]

    def state_dict(self):
        return {"last_epoch": self.last_epoch, "_step_count": self._step_count}

    def load_state_dict(self, state):
        self.__dict__.update(state)


def one_after_another(optimizer):
    parts = [lr_scheduler.ConstantLR(optimizer), lr_scheduler.ExponentialLR(optimizer, 0.9)]
    return lr_scheduler.SequentialLR(optimizer, parts, milestones=[2])


torch.manual_seed(0)
for schedule in (
    lambda optimizer: lr_scheduler.LambdaLR(optimizer, lambda step: min(1, step / 4)),
    one_after_another,
    Warm,
):
    file, model = io.BytesIO(), nn.Linear(4, 1)
    for epoch in range(2):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = schedule(optimizer)
        if epoch:
            checkpoint = torch.load(file)
            optimizer.load_state_dict(checkpoint["optimizer"])
            scheduler.load_state_dict(checkpoint["scheduler"])
        for step in range(4):
            optimizer.zero_grad()
            model(torch.randn(8, 4)).square().mean().backward()
            optimizer.step()
            scheduler.step()
        parts = {"optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
        if not epoch:
            torch.save(parts, file)
            file.seek(0)
```

Fine (fine-tuning, which takes the weights alone; only looked at):

```python
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters())
file = io.BytesIO()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3}, file)

file.seek(0)
model.load_state_dict(torch.load(file)["model"])
tuner = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(4):
    tuner.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    tuner.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import PartialResume

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("resume.partial")
def part_left_behind(seen: PartialResume) -> Hits:
    names = ", ".join(f"`{key}`" for _, key in seen.left)
    kinds = " and ".join(sorted({kind for kind, _ in seen.left}))
    yield seen.hit(f"its {names} is not restored: training goes on with a new {kinds}")
