r"""A layer is put into the model after the optimizer was made.

An optimizer holds the parameters that it was given, not the model. A layer that is put in or replaced
afterwards gets gradients and never moves, and the layer it replaced is trained for nothing; no error
tells. So it is with a loss that has parameters of its own: weights of tasks, centres of classes.

Cure: change the model first and make the optimizer last, or `optimizer.add_param_group(...)`.

Bad:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.head = nn.Linear(4, 2)  # here: the optimizer has the old head
before = net.head.weight.clone()
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()  # seen: `net.head.weight` stays
```

Proof:

```python
assert torch.equal(before, net.head.weight)
```

Bad (as wide as the layer before it):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.fc = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.fc(self.body(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.fc = nn.Linear(net.fc.in_features, 2)  # here: only its size was read
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()  # seen: `net.fc.weight` stays
```

Bad (the optimizer of another copy):

```python
import copy

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net = copy.deepcopy(net)
for step in range(4):
    optimizer.zero_grad()
    net(torch.ones(8, 4)).square().mean().backward()
    optimizer.step()  # seen: none of its parameters has ever had a gradient
```

Bad (one of a row of layers, and a layer that brings parameters of its own):

```python
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.randn(2, 4))
        self.b = nn.Parameter(torch.randn(3, 2))

    def forward(self, x):
        return self.base(x) + x @ self.a.T @ self.b.T


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        return self.out(self.body(x))


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.body[2] = nn.Linear(4, 4)  # here: made after the optimizer
model.out = Adapted(model.out)  # here: its `a` and `b` are new
before = [model.body[2].weight.clone(), model.out.a.clone()]
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()  # seen: `held by no optimizer`
```

Proof:

```python
assert torch.equal(before[0], model.body[2].weight) and torch.equal(before[1], model.out.a)
```

Bad (a new model for each fold):

```python
import torch
from torch import nn


def build():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))


torch.manual_seed(0)
model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for fold in range(3):
    model.train()
    for step in range(20):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()  # seen: holds 4 parameters that the model has no more
    model.eval()
    with torch.no_grad():
        print(model(torch.randn(8, 4)).square().mean().item())
    model = build()
```

Bad (a loss that has parameters of its own):

```python
import torch
from torch import nn


class Weighed(nn.Module):
    def __init__(self):
        super().__init__()
        self.spread = nn.Parameter(torch.zeros(2))

    def forward(self, *losses):
        return (torch.stack(losses) * (-self.spread).exp() + self.spread).sum()


torch.manual_seed(0)
net, criterion = nn.Linear(4, 2), Weighed()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    first, second = net(torch.randn(8, 4)).unbind(1)
    optimizer.zero_grad()
    criterion(first.square().mean(), second.abs().mean()).backward()
    optimizer.step()  # seen: `criterion.spread` is held by none
```

Bad (several layers in a row, built by a function):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.head(self.body(x))


def build_head(classes):
    return nn.Sequential(nn.Dropout(0.0), nn.Linear(4, classes))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.head = build_head(2)  # here: the optimizer has the old head
before = net.head[1].weight.clone()
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()  # seen: `net.head.1.weight` stays
```

Proof:

```python
assert torch.equal(before, net.head[1].weight)
```

Bad (of a second phase, groups that leave a layer out):

```python
import torch
from torch import nn


def fit(model, optimizer, rounds):
    for _ in range(rounds):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()  # seen: `model.1.weight` stays


torch.manual_seed(0)
first = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
fit(first, torch.optim.SGD(first.parameters(), lr=0.1), 30)
model = nn.Sequential(first[0], nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 3))
before = model[1].weight.clone()
groups = [{"params": model[0].parameters(), "lr": 0.01}, {"params": model[3].parameters()}]
fit(model, torch.optim.SGD(groups, lr=0.1), 20)
```

Proof:

```python
assert torch.equal(before, model[1].weight)
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
net.head = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()
```

Fine (another optimizer steps later; moved by hand; gradients of the image alone are wanted):

```python
import torch
from torch import nn

torch.manual_seed(0)
body, head, scale = nn.Linear(4, 4), nn.Linear(4, 2), nn.Linear(2, 2)
net = nn.Sequential(body, head, scale)
often = torch.optim.SGD(body.parameters(), lr=0.1)
seldom = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(6):
    net.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    often.step()
    with torch.no_grad():
        for p in scale.parameters():
            p -= 0.1 * p.grad
    if step == 5:
        seldom.step()
image = torch.randn(1, 4, requires_grad=True)
optimizer = torch.optim.Adam([image], lr=0.1)
net.eval()
for step in range(4):
    optimizer.zero_grad()
    net(image).square().mean().backward()
    optimizer.step()
```

Fine (added afterwards; made anew; another model; an activation; a layer wrapped in itself):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head, self.act = nn.Linear(4, 4), nn.Linear(4, 2), nn.ReLU()


net, other, third, fourth = Net(), Net(), Net(), Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.head = nn.Linear(4, 2)
optimizer.add_param_group({"params": net.head.parameters()})
optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
third.head = nn.Linear(4, 3)
other.act = nn.GELU()
other.body = nn.Sequential(other.body, nn.ReLU())
fourth_optimizer = torch.optim.SGD(fourth.parameters(), lr=0.1)
fourth.head = nn.Linear(4, 3)
fourth_optimizer = torch.optim.SGD(fourth.parameters(), lr=0.1)
```

Fine (the learning ones of a model with a new head):

```python
import torch
from torch import nn

model = nn.Sequential()
model.body, model.head = nn.Linear(4, 8), nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(2, 4)).sum().backward()
optimizer.step()
model.requires_grad_(False)
model.head = nn.Linear(8, 3)
learned = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.SGD(learned, lr=0.1)
model(torch.randn(2, 4)).sum().backward()
optimizer.step()
```

Fine (a new head, and then a new optimizer with groups of the model's parts):

```python
import torch
from torch import nn

model = nn.Sequential()
model.body, model.head = nn.Linear(4, 8), nn.Linear(8, 2)
optimizer = torch.optim.Adam(model.parameters())
model(torch.randn(2, 4)).sum().backward()
optimizer.step()
model.head = nn.Linear(8, 3)
groups = [{"params": model.head.parameters(), "lr": 1e-2}, {"params": model.body.parameters()}]
optimizer = torch.optim.Adam(groups, lr=1e-3)
model(torch.randn(2, 4)).sum().backward()
optimizer.step()
```

Fine (a head that was trained before keeps its last gradient):

```python
import torch
from torch import nn


class Tasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 3)
        self.heads = nn.ModuleDict({"old": nn.Linear(3, 1), "new": nn.Linear(3, 1)})

    def forward(self, x, head):
        return self.heads[head](self.backbone(x))


def train(model, head, parameters, steps):
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    for step in range(steps):
        optimizer.zero_grad()
        model(torch.randn(8, 4), head).square().mean().backward()
        optimizer.step()


torch.manual_seed(0)
model = Tasks()
train(model, "old", model.parameters(), 12)
for p in model.backbone.parameters():
    p.requires_grad = False
train(model, "new", model.heads["new"].parameters(), 12)
```

Fine (a fixed judge, whose gradients are a by-product; a loss that its own optimizer moves later):

```python
import torch
from torch import nn


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.scale = nn.Linear(2, 2), nn.Parameter(torch.ones(1))

    def forward(self, x):
        return (self.scale * self.layer(x)).square().mean()


class Centre(nn.Module):
    def __init__(self):
        super().__init__()
        self.at = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        return (x - self.at).square().mean()


torch.manual_seed(0)
net, judge, centre = nn.Linear(4, 2), Judge(), Centre()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
seldom = torch.optim.SGD(centre.parameters(), lr=0.1)
for step in range(6):
    out = net(torch.randn(8, 4))
    optimizer.zero_grad()
    seldom.zero_grad()
    (judge(out) + centre(out)).backward()
    optimizer.step()
    if step == 5:
        seldom.step()
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.run.moments import IdleOptimizer, UnmovedParameters
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def layer_put_in_too_late(code: Code) -> Hits:
    for made, model, layer in code.layers_after_optimizer():
        name, line = code.text_of(layer), code.line_of(made)
        says = f"`{name}` is not in the optimizer, which took the parameters of `{model}` on line {line}"
        yield code.hit(layer, says)


@pitfall.watches("parameters.unmoved")
def left_out_of_every_optimizer(seen: UnmovedParameters) -> Hits:
    # Of a model that no optimizer has any part of, the gradients may be a mere by-product.
    if not any(p.partly for p in seen.registered) and not seen.stale:
        return
    names = ", ".join(f"`{p.name}`" for p in seen.registered)
    says = f"{shorten(names, 80, placeholder=' ...')} held by no optimizer: gradients come, nothing moves"
    if seen.stale:
        says += f"; `{seen.optimizer}` holds {seen.stale} parameters that the model has no more"
    yield seen.hit(says, parameters=len(seen.registered), stale=seen.stale)


@pitfall.watches("optimizer.idle")
def optimizer_of_another_model(seen: IdleOptimizer) -> Hits:
    says = (
        f"`{seen.optimizer}` has taken {seen.steps} steps, and none of its {seen.count} parameters"
    )
    yield seen.hit(f"{says} has ever had a gradient", parameters=seen.count)
