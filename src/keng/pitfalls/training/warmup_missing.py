r"""The first steps at the full rate ruin what was loaded.

Weights that were trained before lie in a place that large steps leave at once: a new head sends large gradients
into them, and Adam's first steps are as long as its rate, whatever the gradient. The loss jumps in the first
steps and what was learned has to be learned again.

Cure: a rate that climbs over the first steps, `LinearLR(optimizer, start_factor=0.01, total_iters=500)` before the
schedule proper; or a lower rate for what was loaded.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 8)
trained = nn.Linear(8, 1)
y = trained(x).detach() + 0.1 * torch.randn(64, 1)
model = nn.Linear(8, 1)
model.load_state_dict(trained.state_dict())
optimizer = torch.optim.Adam(model.parameters(), lr=1.0)
for step in range(6):
    optimizer.zero_grad()
    (model(x) - y).square().mean().backward()
    optimizer.step()  # seen: the loss rose
```

Good:

```python
import torch
from torch import nn
from torch.optim.lr_scheduler import LinearLR

torch.manual_seed(0)
x = torch.randn(64, 8)
trained = nn.Linear(8, 1)
y = trained(x).detach() + 0.1 * torch.randn(64, 1)
model = nn.Linear(8, 1)
model.load_state_dict(trained.state_dict())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
warmup = LinearLR(optimizer, start_factor=0.01, total_iters=20)
for step in range(6):
    optimizer.zero_grad()
    (model(x) - y).square().mean().backward()
    optimizer.step()
    warmup.step()
```

Fine (a loss that swings; nothing was loaded):

```python
import torch
from torch import nn

torch.manual_seed(0)
model, other = nn.Linear(8, 1), nn.Linear(8, 1)
other.load_state_dict(model.state_dict())
optimizer = torch.optim.SGD(other.parameters(), lr=0.001)
for step in range(6):
    optimizer.zero_grad()
    ((1 + 5 * (step % 2)) * other(torch.randn(64, 8))).square().mean().backward()
    optimizer.step()
```

Fine (a copy that gives the goals is loaded, and the loss leaves zero):

```python
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
target = copy.deepcopy(model)
target.load_state_dict(model.state_dict())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(16):
    x = torch.randn(64, 8)
    with torch.no_grad():
        goal = target(x) + (step > 0)
    optimizer.zero_grad()
    loss = (model(x) - goal).square().mean() + 1e-6
    loss.backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import RisenLoss

pitfall = Pitfall(__name__, __doc__, severity="warning")

TIMES = 50
"""Batches differ, and losses near zero swing: this is far beyond either."""


@pitfall.watches("loss.rose")
def worse_than_what_was_loaded(loss: RisenLoss) -> Hits:
    if loss.now > TIMES * loss.before > 0:
        says = (
            f"the loss rose from {loss.before:.3g} to {loss.now:.3g} in {loss.steps} steps from the"
        )
        yield loss.hit(f"{says} weights that were loaded, at the full rate of {loss.rate:g}")
