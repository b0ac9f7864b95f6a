r"""Gradients are never cleared between the steps.

`backward` adds to `.grad`; nothing clears it but `zero_grad`. Without it every step moves along the
sum of all gradients so far: training is erratic or diverges, or with a small learning rate just ends
somewhere worse.

Cure: `optimizer.zero_grad()` once for each `optimizer.step()`.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
criterion = nn.MSELoss()
for step in range(10):
    loss = criterion(model(torch.randn(16, 8)), torch.zeros(16, 1))
    loss.backward()  # here: adds to the gradients of the step before
    optimizer.step()
```

Bad (through a helper, cleared only once an epoch):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def step(loss, optimizer):
    loss.backward()  # here: adds to the gradients of the batch before
    optimizer.step()


model = nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters())
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16)
for epoch in range(3):
    optimizer.zero_grad()
    for x, y in loader:
        loss = (model(x) - y).square().mean()
        step(loss, optimizer)
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
criterion = nn.MSELoss()
for step in range(10):
    optimizer.zero_grad()
    loss = criterion(model(torch.randn(16, 8)), torch.zeros(16, 1))
    loss.backward()
    optimizer.step()
```

Fine (accumulation, a helper, by hand, a closure):

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)


def reset_grad():
    model.zero_grad()


for step in range(8):
    loss = model(torch.randn(16, 8)).square().mean() / 4
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
for step in range(4):
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
    reset_grad()
for step in range(4):
    for p in model.parameters():
        p.grad = None
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
lbfgs = torch.optim.LBFGS(model.parameters(), max_iter=2)


def closure():
    lbfgs.zero_grad()
    loss = model(torch.ones(16, 8)).square().mean()
    loss.backward()
    return loss


for step in range(3):
    lbfgs.step(closure)
```

Fine (cleared by a function that is not seen; two half steps for each clearing; gradients kept elsewhere):

```python
from operator import methodcaller

import torch
import torch.distributed as dist
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
forget = methodcaller("zero_grad")
for step in range(4):
    forget(optimizer)
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
for step in range(4):
    optimizer.zero_grad()
    for half in range(2):
        model(torch.randn(16, 8)).square().mean().backward()
        optimizer.step()


def train_across_machines(remote_optimizer, batches):
    for x in batches:
        with dist.autograd.context() as context:
            loss = model(x).square().mean()
            dist.autograd.backward(context, [loss])
            remote_optimizer.step(context)


if dist.is_available() and dist.is_initialized():
    train_across_machines(dist.optim.DistributedOptimizer(), [torch.randn(16, 8)])
```

Fine (the parameters are new in each round):

```python
import torch

for start in (0.0, 1.0, 2.0):
    x = torch.tensor([start], requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=0.1)
    (x - 3).square().sum().backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.moments import CarriedGradients
from keng.source import Act, Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def never_cleared(code: Code) -> Hits:
    for loop in code.training_loops:
        if loop.has(Act.ZERO_GRAD) or loop.has(Act.OPAQUE):
            continue
        if code.cleared_around(loop) or code.optimizer_is_new(loop):
            continue
        backward = loop.all(Act.BACKWARD)[0]
        if backward.dotted != "torch.distributed.autograd.backward":
            yield backward.code.hit(
                backward.call, "adds to gradients that no `zero_grad()` ever clears"
            )


@pitfall.watches("gradients.carried")
def added_to_used_gradients(grads: CarriedGradients) -> Hits:
    if grads.steps >= 2:
        says = (
            f"adds to gradients that `{grads.optimizer}` has already used; nothing has cleared them"
        )
        yield grads.hit(says, steps_in_a_row=grads.steps)
