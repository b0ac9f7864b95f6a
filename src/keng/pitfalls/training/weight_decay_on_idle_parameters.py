r"""Parameters that get no gradient still move.

An optimizer skips a parameter whose `.grad` is None. It does not skip one whose `.grad` is all zeros:
weight decay still shrinks it, and the momentum of SGD or Adam still carries it on. So a layer that is
frozen in mid-training keeps changing when `zero_grad(set_to_none=False)` leaves zeros behind, and a
branch whose output is multiplied by zero fades until its weights are near 0. (`set_to_none=True` is
the default since PyTorch 2.0.)

Cure: let `zero_grad()` set gradients to None, or give the optimizer only what is trained.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
for step in range(20):
    if step == 4:
        model[0].requires_grad_(False)
    optimizer.zero_grad(set_to_none=False)  # here: leaves zeros, which are not skipped
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()  # seen: the frozen layer still moves
```

Bad (a branch that is switched off by a factor of zero):

```python
import torch
from torch import nn

torch.manual_seed(0)
main, side = nn.Linear(8, 1), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*main.parameters(), *side.parameters()], lr=0.1, weight_decay=0.1)
for step in range(20):
    optimizer.zero_grad()
    x = torch.randn(16, 8)
    (main(x) + 0.0 * side(x)).square().mean().backward()
    optimizer.step()
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1)
for step in range(20):
    if step == 4:
        model[0].requires_grad_(False)
    optimizer.zero_grad()
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
```

Fine (frozen before the optimizer is made; frozen for a moment; zeros with nothing frozen; nothing that carries on):

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
model[0].requires_grad_(False)
trained = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.AdamW(trained, lr=0.01)
for step in range(6):
    optimizer.zero_grad(set_to_none=False)
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
for step in range(6):
    for p in model[1].parameters():
        p.requires_grad = False
    for p in model[1].parameters():
        p.requires_grad = True
    optimizer.zero_grad(set_to_none=False)
    model(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
plain = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
optimizer = torch.optim.SGD(plain.parameters(), lr=0.01)
for step in range(6):
    if step == 3:
        plain[0].requires_grad_(False)
    optimizer.zero_grad(set_to_none=False)
    plain(torch.randn(16, 8)).square().mean().backward()
    optimizer.step()
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.run.moments import IdleParameters
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def zeros_left_for_frozen_parameters(code: Code) -> Hits:
    for call in code.method_calls("zero_grad"):
        flag = code.argument(call, "set_to_none", position=0)
        if not code.is_constant(flag, False) or not code.freezes_while_training(call):
            continue
        optimizer = code.receiver(call)
        if code.carries_on(optimizer):
            yield code.hit(call, "leaves zeros for frozen parameters, which then still move")


@pitfall.watches("parameters.idle")
def moved_without_a_gradient(idle: IdleParameters) -> Hits:
    names = shorten(", ".join(f"`{p.name}`" for p in idle.parameters), 80, placeholder=" ...")
    p = max(idle.parameters, key=lambda p: abs(p.norm_before - p.norm_now) / (p.norm_before or 1))
    says = f"{names} moved although the gradient was zero at {p.steps} steps in a row"
    yield idle.hit(
        says,
        parameter=p.name,
        norm_before=p.norm_before,
        norm_now=p.norm_now,
        weight_decay=p.weight_decay,
        momentum=p.momentum,
    )
