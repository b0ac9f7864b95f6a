r"""The learning rate is set on the optimizer itself, where nothing reads it.

An optimizer of PyTorch's has its rates in `param_groups`, one in each. `optimizer.lr = 1e-4`, as in Keras, makes a new
attribute: no error, and the training goes on at the first rate. So does `optimizer.defaults["lr"]`, which is
read when a group is added and at no other time.

Cure: `for group in optimizer.param_groups: group["lr"] = 1e-4`, or a scheduler.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    if step == 3:
        optimizer.lr = 0.01  # seen: a new attribute
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Proof:

```python
assert optimizer.param_groups[0]["lr"] == 0.1
```

Bad (in a function of its own, and the rate comes from settings):

```python
from types import SimpleNamespace

import torch
from torch import nn

args = SimpleNamespace(lr=0.1, decay=0.5)


class Trainer:
    def __init__(self, model):
        self.model, self.rate = model, args.lr
        self.optim = torch.optim.AdamW(model.parameters(), lr=args.lr)

    def decay(self):
        self.rate *= args.decay
        self.optim.lr = self.rate  # seen: a new attribute

    def step(self):
        self.optim.zero_grad()
        self.model(torch.randn(8, 4)).square().mean().backward()
        self.optim.step()


torch.manual_seed(0)
trainer = Trainer(nn.Linear(4, 1))
for epoch in range(3):
    trainer.step()
    trainer.decay()
```

Proof:

```python
assert trainer.optim.param_groups[0]["lr"] == 0.1
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    if step == 3:
        for group in optimizer.param_groups:
            group["lr"] = 0.01
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (a note of the rate in force; one that is read later; an optimizer that reads its own):

```python
import torch
from torch import nn


class Plain(torch.optim.Optimizer):
    def __init__(self, parameters, rate):
        super().__init__(parameters, {"lr": 1.0})
        self.lr = rate

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p -= self.lr * p.grad


def train(model, optimizer):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()


torch.manual_seed(0)
model = nn.Linear(4, 1)
noted = torch.optim.SGD(model.parameters(), lr=0.1)
noted.lr = 0.1
train(model, noted)
train(model, Plain(model.parameters(), 0.01))
slow = torch.optim.SGD(model.parameters(), lr=0.1)
slow.lr = 0.05
train(model, slow)
train(model, torch.optim.SGD(model.parameters(), lr=slow.lr))
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import StrayAttribute

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("attribute.stray")
def read_by_nothing(seen: StrayAttribute) -> Hits:
    if seen.kind == "optimizer":
        says = f"`lr` is a new attribute of `{seen.thing}`, which nothing reads"
        yield seen.hit(f"{says}: the rate is that of its groups")
