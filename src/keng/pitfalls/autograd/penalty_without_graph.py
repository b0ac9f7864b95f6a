r"""A penalty on gradients is computed without their graph.

`torch.autograd.grad` gives plain numbers unless `create_graph=True` is said. A gradient penalty, as of a critic,
a physical law that a network is to obey, any loss made of slopes, is then a number as well: it is added to the
loss, it is logged, it even changes from step to step, and the weights learn nothing from it. No error tells, since the
rest of the loss has a graph.

Cure: `torch.autograd.grad(..., create_graph=True)`, which keeps the graph too.

Bad:

```python
import torch
from torch import nn


def penalty(critic, real, fake):
    x = real.lerp(fake, torch.rand(len(real), 1)).requires_grad_()
    (slope,) = torch.autograd.grad(critic(x).sum(), x)  # here: # seen: only a number in `loss`
    return (slope.norm(dim=1) - 1).square().mean()


torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(3):
    real, fake = torch.randn(8, 2), torch.randn(8, 2)
    loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(critic, real, fake)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert not penalty(critic, real, fake).requires_grad
```

Bad (an equation that a network is to obey):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
start = torch.zeros(1, 1)
for step in range(3):
    t = torch.rand(32, 1, requires_grad=True)
    u = net(t)
    slope = torch.autograd.grad(u, t, torch.ones_like(u), retain_graph=True)[0]  # seen: `residual`
    residual = (slope + slope.detach()).square().mean()
    loss = (net(start) - 1).square().mean()
    loss += residual
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert not residual.requires_grad
```

Good:

```python
import torch
from torch import nn


def penalty(critic, real, fake):
    mixed = real.lerp(fake, torch.rand(len(real), 1)).requires_grad_()
    (slope,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(3):
    real, fake = torch.randn(8, 2), torch.randn(8, 2)
    loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(critic, real, fake)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Fine (looked at; a weight of a term; a step on the inputs; other constants; a loss that another function makes):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)


def slopes(x):
    x = x.detach().requires_grad_()
    return torch.autograd.grad(net(x).sum(), x)[0]


def loss_of(x, y):
    return (net(x) - y).square().mean()


for step in range(3):
    x, y = torch.randn(8, 2), torch.randn(8, 1)
    steep = slopes(x).norm(dim=1).mean()
    weight = 1 / (1 + slopes(x).norm(dim=1, keepdim=True))
    worse = x + 0.1 * slopes(x).sign()
    floor = torch.tensor(0.01)
    loss = (weight * (net(x) - y).square()).mean() + loss_of(worse, y) + floor + 1e-8
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{steep:.3f}")
```
"""

from textwrap import shorten

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import UselessTerm
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def added_without_graph(code: Code) -> Hits:
    for call, term, loss in code.slopes_without_graph():
        title = "Make their graph as well"
        asked = code.argument(call, "create_graph", position=4)
        fix = code.add_argument(call, "create_graph=True", title)
        if asked is not None:
            fix = Fix(title, (code.replace(asked, "True"),), "unsafe")
        yield code.hit(call, only_a_number(term, loss), fix=fix)


@pitfall.watches("loss.term")
def added_as_a_number(seen: UselessTerm) -> Hits:
    yield seen.hit(only_a_number(seen.term, seen.loss))


def only_a_number(term: str, loss: str) -> str:
    says = f"`{shorten(term, 60, placeholder=' ...')}` is only a number in `{loss}`, which nothing learns from"
    return f"{says}: these gradients have no graph without create_graph=True"
