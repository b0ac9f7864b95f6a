r"""An optimizer steps and moves nothing.

Its `step` is called and its parameters have gradients, but no weight changes: an override of `step` that does not
call torch's own, a flag that stays set once a step was skipped, a wrapper that waits for a call which never comes.
The loss is then that of the first weights, up to the noise of the batches. (Compiled optimizers did so up to
torch 2.1 after a step without gradients.)

Or no backward ever reaches what the optimizer holds: the loss is computed with copies, stacked or adapted
weights, that were cut from them. `step` skips parameters without a gradient and says nothing.

Cure: see that each way through `step` ends in `super().step()`; give the optimizer the tensors that the loss is
computed with, or leave their graph whole.

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

Bad (the inner steps of learning to learn are cut from what learns):

```python
import torch
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
model = nn.Linear(4, 1)
outer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
before = model.weight.detach().clone()
for step in range(4):
    weights = dict(model.named_parameters())
    loss = (functional_call(model, weights, (x[:8],)) - y[:8]).square().mean()
    slopes = torch.autograd.grad(loss, list(weights.values()))
    adapted = {
        name: (value - 0.1 * slope).detach().requires_grad_()
        for (name, value), slope in zip(weights.items(), slopes)
    }
    outer.zero_grad()
    (functional_call(model, adapted, (x[8:],)) - y[8:]).square().mean().backward()
    outer.step()  # seen: no backward has reached its parameters
```

Proof:

```python
assert torch.equal(model.weight, before)
```

Bad (an ensemble learns stacked copies):

```python
import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

torch.manual_seed(0)
members = [nn.Linear(4, 1) for _ in range(3)]
weights, _ = stack_module_state(members)
optimizer = torch.optim.SGD([p for member in members for p in member.parameters()], lr=0.1)
before = members[0].weight.detach().clone()
x = torch.randn(8, 4)
for step in range(4):
    optimizer.zero_grad()
    out = vmap(lambda own: functional_call(members[0], own, (x,)))(weights)
    out.square().mean().backward()
    optimizer.step()  # seen: no backward has reached its parameters
```

Proof:

```python
assert torch.equal(members[0].weight, before)
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

Fine (a schedule that is only shown; the first gradients come late; the optimizer has the stacked weights):

```python
import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

torch.manual_seed(0)
body, head = nn.Linear(4, 4), nn.Linear(4, 1)
shown = torch.optim.SGD(body.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(shown, 2)
rates = []
for step in range(5):
    shown.step()
    rates.append(schedule.get_last_lr()[0])
    schedule.step()
members = [nn.Linear(4, 1) for _ in range(3)]
weights, _ = stack_module_state(members)
optimizer = torch.optim.SGD(list(weights.values()), lr=0.1)
late = torch.optim.SGD(head.parameters(), lr=0.1)
x = torch.randn(8, 4)
for step in range(5):
    out = vmap(lambda own: functional_call(members[0], own, (x,)))(weights)
    optimizer.zero_grad()
    out.square().mean().backward()
    optimizer.step()
    if step >= 3:
        late.zero_grad()
        head(x).square().mean().backward()
    if step >= 2:
        late.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import UnreachedOptimizer, UntakenStep

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("step.untaken")
def moves_nothing(seen: UntakenStep) -> Hits:
    says = f"`{seen.optimizer}` has stepped {seen.steps} times with gradients, and moved nothing"
    yield seen.hit(says, steps=seen.steps)


@pitfall.watches("optimizer.unreached")
def reached_by_no_backward(seen: UnreachedOptimizer) -> Hits:
    says = (
        f"`{seen.optimizer}` has stepped {seen.steps} times, and no backward has reached any of its"
    )
    yield seen.hit(f"{says} {seen.count} parameters", steps=seen.steps, parameters=seen.count)
