r"""Two optimizers move the same parameters in one step.

Each optimizer takes the gradients as they are and moves the parameters by its own rule. Two of them over the same model
make two moves for one gradient; their momenta and running averages then describe a way that the parameters did not take.

Cure: one optimizer, with parameter groups where layers want different settings; or two over parameters that are kept
apart.

Bad:

```python
import torch
from torch import nn

model = nn.Linear(4, 1)
slow = torch.optim.SGD(model.parameters(), lr=0.01)
fast = torch.optim.Adam(model.parameters(), lr=0.1)  # here: `model.parameters()`
for step in range(3):
    slow.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    loss.backward()
    slow.step()
    fast.step()
```

Proof:

```python
assert slow.param_groups[0]["params"][0] is fast.param_groups[0]["params"][0]
```

Good:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
optimizer = torch.optim.Adam(
    [
        {"params": model[0].parameters(), "lr": 0.01},
        {"params": model[1].parameters(), "lr": 0.1},
    ]
)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (one after the other; either of two; parts of their own):

```python
import torch
from torch import nn

model, other = nn.Linear(4, 1), nn.Linear(4, 1)
warm = torch.optim.SGD(model.parameters(), lr=0.1)
main = torch.optim.Adam(model.parameters())
second = torch.optim.Adam(other.parameters())
for step in range(2):
    warm.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    warm.step()
for step in range(2):
    main.zero_grad()
    second.zero_grad()
    (model(torch.randn(8, 4)) + other(torch.randn(8, 4))).square().mean().backward()
    main.step()
    second.step()
if step > 5:
    chosen = torch.optim.SGD(model.parameters(), lr=0.1)
else:
    chosen = torch.optim.Adam(model.parameters())
for step in range(2):
    for optimizer in (chosen,):
        optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    chosen.step()
for step in range(4):
    warm.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    if step < 2:
        warm.step()
    else:
        main.step()
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def moved_twice(code: Code) -> Hits:
    for made, first in code.optimizers_sharing():
        given = code.text_of(made.args[0])
        says = f"`{given}` are moved twice in each step: `{first}` has them too"
        yield code.hit(made, says)
