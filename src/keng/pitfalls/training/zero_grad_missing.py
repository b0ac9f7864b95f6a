r"""Gradients are never cleared between the steps.

`backward` adds to `.grad`; nothing clears it but `zero_grad`. Without it every step moves along the
sum of all gradients so far: training is erratic or diverges, or with a small learning rate just ends
somewhere worse.

Cure: `optimizer.zero_grad()` once for each `optimizer.step()`; `w.grad = None` after each move by hand.

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

Bad (two optimizers step, one is cleared):

```python
import torch
from torch import nn


class Learner:
    def __init__(self):
        self.trunk, self.head = nn.Linear(4, 8), nn.Linear(8, 1)
        self.slow = torch.optim.SGD(self.trunk.parameters(), lr=0.01)
        self.fast = torch.optim.SGD(self.head.parameters(), lr=0.1)

    def learn(self, x):
        self.slow.zero_grad()
        loss = self.head(self.trunk(x)).square().mean()
        loss.backward()  # seen: `self.fast` has used them
        self.slow.step()
        self.fast.step()  # here: nothing clears the head's


learner = Learner()
for step in range(8):
    learner.learn(torch.randn(16, 4))
```

Bad (by the closure of an optimizer that calls it several times):

```python
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
model = nn.Linear(4, 1)
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.01, max_iter=4)


def closure():
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()  # seen: adds to gradients
    return loss


for step in range(6):
    optimizer.step(closure)
```

Bad (rows of an embedding, by an optimizer of their own):

```python
import torch
from torch import nn

torch.manual_seed(0)
rows, head = nn.Embedding(20, 4, sparse=True), nn.Linear(4, 1)
sparse = torch.optim.SparseAdam(rows.parameters(), lr=0.01)
dense = torch.optim.Adam(head.parameters(), lr=0.01)
for step in range(4):
    dense.zero_grad()
    head(rows(torch.randint(20, (8,)))).square().mean().backward()  # seen: the rows add up
    sparse.step()  # here: only the dense gradients are cleared
    dense.step()
```

Bad (weights that are moved by hand):

```python
import torch

torch.manual_seed(0)
x, y = torch.randn(64, 3), torch.randn(64)
w, b = torch.randn(3, requires_grad=True), torch.zeros(1, requires_grad=True)
for step in range(8):
    loss = (x @ w + b - y).square().mean()
    loss.backward()  # here: adds to what `w` was moved along
    with torch.no_grad():
        w -= 0.01 * w.grad
        b -= 0.01 * b.grad
```

Bad (by a function of one's own):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def sgd(params, rate):
    for param in params:
        param.data.add_(param.grad, alpha=-rate)


for x in torch.randn(32, 4).split(4):
    net(x).square().mean().backward()  # here: adds to the gradients before
    sgd(net.parameters(), 0.01)
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

Fine (callbacks clear them):

```python
import torch
from torch import nn


class Callback:
    def on_batch_start(self, trainer): ...


class Clearing(Callback):
    def on_batch_start(self, trainer):
        trainer.optimizer.zero_grad()


class Trainer:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def emit(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, batches):
        for x in batches:
            self.emit("on_batch_start")
            self.model(x).square().mean().backward()
            self.optimizer.step()


Trainer(nn.Linear(4, 1), [Callback(), Clearing()]).fit([torch.randn(8, 4) for _ in range(3)])
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

Fine (both are cleared, by the model, in one loop, in another method):

```python
import torch
from torch import nn


class Learner:
    def __init__(self):
        self.trunk, self.head = nn.Linear(4, 8), nn.Linear(8, 1)
        self.net = nn.Sequential(self.trunk, self.head)
        self.slow = torch.optim.SGD(self.trunk.parameters(), lr=0.01)
        self.fast = torch.optim.SGD(self.head.parameters(), lr=0.1)

    def both(self, x):
        self.slow.zero_grad()
        self.fast.zero_grad()
        self.net(x).square().mean().backward()
        self.slow.step()
        self.fast.step()

    def whole(self, x):
        self.net.zero_grad()
        self.net(x).square().mean().backward()
        self.slow.step()
        self.fast.step()

    def each(self, x):
        for optimizer in (self.slow, self.fast):
            optimizer.zero_grad()
        self.net(x).square().mean().backward()
        self.slow.step()
        self.fast.step()


learner = Learner()
for step in range(3):
    x = torch.randn(16, 4)
    learner.both(x)
    learner.whole(x)
    learner.each(x)
```

Fine (moved by hand: cleared, made anew in each round, several backwards a move, a momentum of one's own):

```python
import torch

torch.manual_seed(0)
x = torch.randn(64, 3)
w, v, m = (torch.randn(3, requires_grad=True) for _ in range(3))
for step in range(8):
    (x @ w).square().mean().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
for step in range(8):
    u = torch.randn(3, requires_grad=True)
    (x @ u).square().mean().backward()
    u.data.sub_(0.01 * u.grad)
for step in range(8):
    for part in x.split(16):
        (part @ v).square().mean().backward()
    with torch.no_grad():
        v -= 0.01 * v.grad
        v.grad.zero_()
for step in range(8):
    (x @ m).square().mean().backward()
    with torch.no_grad():
        m -= 0.01 * m.grad
        m.grad *= 0.9
```

Fine (what one clears is the other's as well):

```python
import torch
from torch import nn

model = nn.ModuleDict({"body": nn.Linear(4, 8), "head": nn.Linear(8, 1)})
head = model["head"]
whole = torch.optim.SGD(model.parameters(), lr=0.01)
part = torch.optim.SGD(head.parameters(), lr=0.01)
for step in range(4):
    whole.zero_grad()
    loss = model["head"](model["body"](torch.randn(8, 4))).square().mean()
    loss.backward()
    if step % 2:
        part.step()
    else:
        whole.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import CarriedGradients, KeptGradients
from keng.source import Act, Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def never_cleared(code: Code) -> Hits:
    for loop in code.training_loops:
        if loop.has(Act.ZERO_GRAD) or loop.has(Act.OPAQUE):
            continue
        if code.cleared_around(loop) or code.optimizer_is_new(loop) or code.cleared_by_callbacks:
            continue
        backward = loop.all(Act.BACKWARD)[0]
        if backward.dotted != "torch.distributed.autograd.backward":
            yield backward.code.hit(
                backward.call, "adds to gradients that no `zero_grad()` ever clears"
            )
    for call in code.manual_steps_uncleared():
        yield code.hit(call, "adds to gradients that no `zero_grad()` ever clears")


@pitfall.finds
def moved_by_hand(code: Code) -> Hits:
    for call, tensor in code.moved_by_hand_uncleared():
        says = f"adds to the gradient that `{tensor}` is moved along, and nothing clears it"
        yield code.hit(call, says)


@pitfall.finds
def one_of_two_cleared(code: Code) -> Hits:
    for call, name, other in code.optimizers_not_cleared():
        says = f"`{name}` steps on gradients that nothing clears; only those of `{other}` are"
        yield code.hit(call, says)


@pitfall.watches("gradients.carried")
def added_to_used_gradients(grads: CarriedGradients) -> Hits:
    if grads.steps >= 2:
        says = (
            f"adds to gradients that `{grads.optimizer}` has already used; nothing has cleared them"
        )
        yield grads.hit(says, steps_in_a_row=grads.steps)


@pitfall.watches("gradients.kept")
def added_after_a_move_by_hand(grads: KeptGradients) -> Hits:
    name = f"`{grads.name}`" if grads.name else "a tensor"
    says = f"adds to the gradient that {name} was moved along; nothing has cleared it"
    yield grads.hit(says, steps_in_a_row=grads.steps)
