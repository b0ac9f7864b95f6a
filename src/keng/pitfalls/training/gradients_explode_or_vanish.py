r"""Gradients grow without bound, or do not reach some layers.

At too high a rate each step overshoots by more than the last, and the norm of the gradients grows by a factor
from step to step, until the loss is infinite. Going back through many layers that each shrink it, a gradient
is next to nothing at the first ones. And behind a unit that is dead, such as a ReLU whose inputs are all
negative, it is exactly zero: these weights will not move again.

Cure: a lower rate, warm-up or clipping for what explodes; normalization, residual connections and another
initialization for what vanishes; leaky units, a lower rate or other initial biases for what is dead.

Bad (too high a rate):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=2.0)
for step in range(12):
    optimizer.zero_grad()
    model(torch.randn(64, 8)).square().mean().backward()
    optimizer.step()  # seen: the norm grows
```

Bad (many sigmoids):

```python
import torch
from torch import nn

torch.manual_seed(0)
layers = [part for _ in range(12) for part in (nn.Linear(8, 8), nn.Sigmoid())]
model = nn.Sequential(*layers, nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    model(torch.randn(64, 8)).square().mean().backward()
    optimizer.step()  # seen: `model.0.weight`
```

Bad (a layer of dead units):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
with torch.no_grad():
    model[0].bias.fill_(-20.0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    (model(torch.randn(64, 8)) - 1).square().mean().backward()
    optimizer.step()  # seen: `model.0.weight`
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
layers = [part for _ in range(6) for part in (nn.Linear(8, 8), nn.LayerNorm(8), nn.ReLU())]
model = nn.Sequential(*layers, nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    model(torch.randn(64, 8)).square().mean().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
```

Fine (a branch that begins at zero; a loss that is large at first):

```python
import torch
from torch import nn

torch.manual_seed(0)
base, down, up = nn.Linear(8, 8), nn.Linear(8, 2, bias=False), nn.Linear(2, 8, bias=False)
base.requires_grad_(False)
nn.init.zeros_(up.weight)
optimizer = torch.optim.SGD([*down.parameters(), *up.parameters()], lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    x = torch.randn(64, 8)
    (base(x) + up(down(x)) - 1).square().mean().backward()
    optimizer.step()
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    (model(torch.randn(64, 8)) - 1000).square().mean().backward()
    optimizer.step()
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.run.moments import GradientNorms

pitfall = Pitfall(__name__, __doc__, severity="warning")

TIMES = 1000
FAINT = 1e-10


@pitfall.watches("gradients.norms")
def growing_without_bound(norms: GradientNorms) -> Hits:
    if norms.rising >= 3 and norms.total > TIMES * norms.usual > 0 and norms.total > TIMES:
        says = f"the norm of the gradients has grown from {norms.usual:.3g} to {norms.total:.3g}"
        yield norms.hit(f"{says}, and grows from look to look", norm=norms.total)


@pitfall.watches("gradients.norms")
def not_reached(norms: GradientNorms) -> Hits:
    if norms.faint and norms.ratio < FAINT:
        says = (
            f"the gradient of `{norms.faint}`, against its weights, is {norms.ratio:.1e} of that of"
        )
        yield norms.hit(f"{says} `{norms.strong}`: it does not learn", ratio=norms.ratio)


@pitfall.watches("gradients.norms")
def exactly_zero(norms: GradientNorms) -> Hits:
    if norms.dead:
        names = shorten(", ".join(f"`{name}`" for name in norms.dead), 80, placeholder=" ...")
        says = f"the gradient of {names} has been exactly zero each time"
        yield norms.hit(
            f"{says}: its units are dead, or the loss leaves it out", parameters=len(norms.dead)
        )
