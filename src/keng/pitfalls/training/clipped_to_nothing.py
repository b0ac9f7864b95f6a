r"""Every gradient is clipped to next to nothing.

`clip_grad_norm_` multiplies the gradients by `max_norm / norm` where their norm is larger. A bound is for the few that
stand out. One that lies hundreds of times below all of them makes every step of SGD as long as the bound and the rate
alone say, and the model hardly moves: a bound that was chosen for a mean is used on a sum, or for values of another
scale. Adam and its kin divide by the size of the gradients and do not feel it, unless the bound is zero.

Cure: a bound near the norms that are usual. `clip_grad_norm_` returns the norm as it was before.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
for step in range(60):
    optimizer.zero_grad()
    x = torch.randn(64, 16)
    nn.functional.mse_loss(model(x), 100 + x.sum(1, keepdim=True)).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1e-4)  # seen: `optimizer` moves the weights by
    optimizer.step()
```

Proof:

```python
with torch.no_grad():
    assert model(torch.zeros(1, 16)).item() < 1
```

Bad (zero is not "no bound"):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(16, 1)
before = model.weight.detach().clone()
optimizer = torch.optim.Adam(model.parameters())
for step in range(60):
    optimizer.zero_grad()
    model(torch.randn(64, 16)).square().mean().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.0)  # seen: clips every gradient to zero
    optimizer.step()
```

Proof:

```python
assert torch.equal(model.weight, before)
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(16, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
for step in range(60):
    optimizer.zero_grad()
    x = torch.randn(64, 16)
    nn.functional.mse_loss(model(x), 100 + x.sum(1, keepdim=True)).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 100.0)
    optimizer.step()
with torch.no_grad():
    assert model(torch.zeros(1, 16)).item() > 50
```

Fine (a small bound and a large rate; Adam; a norm that comes down to its bound; one that is only asked for):

```python
import torch
from torch import nn

torch.manual_seed(0)
for kind, rate, bound, far in (
    (torch.optim.SGD, 5.0, 0.25, 100),
    (torch.optim.Adam, 0.01, 0.001, 100),
    (torch.optim.SGD, 1e-5, 0.5, 0),
    (torch.optim.SGD, 1e-5, float("inf"), 100),
):
    model = nn.Linear(16, 1)
    optimizer = kind(model.parameters(), lr=rate)
    for step in range(60):
        optimizer.zero_grad()
        x = torch.randn(64, 16)
        nn.functional.mse_loss(model(x), far + x.sum(1, keepdim=True)).backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), bound)
        optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import ConstantClipping

pitfall = Pitfall(__name__, __doc__, severity="warning")

TIMES = 100
NOTHING = 1e-4
"""Of the weights' norm: a thousand steps in one direction go a tenth of it."""


@pitfall.watches("clipping.constant")
def clipped_to_zero(clip: ConstantClipping) -> Hits:
    if clip.bound == 0 < clip.least:
        yield clip.hit("clips every gradient to zero: nothing is learned", steps=clip.steps)


@pitfall.watches("clipping.constant")
def far_below_all(clip: ConstantClipping) -> Hits:
    if clip.kind != "SGD" or not 0 < TIMES * clip.bound < clip.least or clip.moves > NOTHING:
        return
    says = f"each of {clip.steps} gradients had a norm above {clip.least:.3g}, and is clipped to"
    moved = (
        f"{clip.bound:g}: `{clip.optimizer}` moves the weights by {clip.moves:.1e} of their norm"
    )
    yield clip.hit(f"{says} {moved} in a step", steps=clip.steps, norm=clip.least)
