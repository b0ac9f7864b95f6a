r"""An optimizer steps and moves nothing.

Its `step` is called and its parameters have gradients, but no weight changes: an override of `step` that does not
call torch's own, a flag that stays set once a step was skipped, a wrapper that waits for a call which never comes.
The loss is then that of the first weights, up to the noise of the batches. (Compiled optimizers did so up to
torch 2.1 after a step without gradients.)

Cure: see that each way through `step` ends in `super().step()`.

Bad:

```python
import torch
from torch import nn


class Careful(torch.optim.SGD):
    stopped = False

    def step(self, closure=None):
        norms = [p.grad.norm() for group in self.param_groups for p in group["params"]]
        self.stopped = self.stopped or max(norms) > 10.0
        if not self.stopped:
            super().step(closure)


torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = Careful(model.parameters(), lr=0.01)
for step in range(40):
    x = torch.randn(8, 4) * (100.0 if step == 1 else 1.0)
    optimizer.zero_grad()
    (model(x) - x.sum(1, keepdim=True)).square().mean().backward()
    optimizer.step()  # seen: skipped since the second step
```

Good:

```python
import torch
from torch import nn


class Careful(torch.optim.SGD):
    def step(self, closure=None):
        norms = [p.grad.norm() for group in self.param_groups for p in group["params"]]
        if max(norms) <= 10.0:
            super().step(closure)


torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = Careful(model.parameters(), lr=0.01)
for step in range(40):
    x = torch.randn(8, 4) * (100.0 if step == 1 else 1.0)
    optimizer.zero_grad()
    (model(x) - x.sum(1, keepdim=True)).square().mean().backward()
    optimizer.step()
```

Fine (a step in eight; a rate of zero; a rate so small that nothing is seen of it; gradients of zero; a fused step):

```python
import torch
from torch import nn


class Gathering(torch.optim.SGD):
    calls = 0

    def step(self, closure=None):
        self.calls += 1
        if self.calls % 8 == 0:
            super().step(closure)


torch.manual_seed(0)
model = nn.Linear(4, 1)
for kind, settings, scale in (
    (Gathering, {"lr": 0.01}, 1.0),
    (torch.optim.SGD, {"lr": 0.0}, 1.0),
    (torch.optim.SGD, {"lr": 1e-30}, 1.0),
    (torch.optim.SGD, {"lr": 0.01}, 0.0),
    (torch.optim.AdamW, {"lr": 1e-3, "fused": True}, 1.0),
):
    optimizer = kind(model.parameters(), **settings)
    for step in range(36):
        optimizer.zero_grad()
        (scale * model(torch.randn(8, 4)).square().mean()).backward()
        optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.moments import UntakenStep

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("step.untaken")
def moves_nothing(seen: UntakenStep) -> Hits:
    says = f"`{seen.optimizer}` has stepped {seen.steps} times with gradients, and moved nothing"
    yield seen.hit(says, steps=seen.steps)
