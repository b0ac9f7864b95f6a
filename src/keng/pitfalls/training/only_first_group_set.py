r"""A learning rate is set in the first group of an optimizer, and the others keep theirs.

An optimizer has one rate in each of its groups. `optimizer.param_groups[0]["lr"] = rate` changes the first of them: what an
optimizer with one group needs, and too little for one with several, as for a head with another rate or
for norms and biases without weight decay. A warm-up or a decay then reaches a part of the model, without a word.

Cure: `for group in optimizer.param_groups: group["lr"] = ...`, or a scheduler, which sets them all.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1))
groups = [
    {"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.1},
    {"params": [p for p in model.parameters() if p.dim() == 1], "weight_decay": 0.0},
]
optimizer = torch.optim.AdamW(groups, lr=1e-3)
for step in range(8):
    optimizer.param_groups[0]["lr"] = 1e-3 * min(1.0, (step + 1) / 4)  # here: of the weights only
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    optimizer.param_groups[0]["lr"] *= 0.9  # here: as well
```

Proof:

```python
assert optimizer.param_groups[0]["lr"] < optimizer.param_groups[1]["lr"] == 1e-3
```

Bad (rates of their own, and a function for the schedule):

```python
import torch
from torch import nn


def set_lr(optimizer, factor):
    group = optimizer.param_groups[0]
    group["lr"] = group["base_lr"] * factor  # here: the head keeps its rate


torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD(
    [
        {"params": body.parameters(), "lr": 0.02, "base_lr": 0.02},
        {"params": head.parameters(), "lr": 0.1, "base_lr": 0.1},
    ]
)
for step in range(4):
    set_lr(optimizer, 1 - step / 4)
    optimizer.zero_grad()
    head(body(torch.randn(8, 4))).square().mean().backward()
    optimizer.step()
```

Proof:

```python
assert [group["lr"] for group in optimizer.param_groups] == [0.005, 0.1]
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1))
groups = [
    {"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.1},
    {"params": [p for p in model.parameters() if p.dim() == 1], "weight_decay": 0.0},
]
optimizer = torch.optim.AdamW(groups, lr=1e-3)
for step in range(8):
    for group in optimizer.param_groups:
        group["lr"] = 1e-3 * min(1.0, (step + 1) / 4)
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (one group; the first is meant, and has its own rate; one that begins at zero; read, not set):

```python
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
single = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
single.param_groups[0]["lr"] = 0.05
own = torch.optim.SGD(
    [
        {"params": body.parameters(), "lr": 0.01},
        {"params": head.parameters(), "lr": 0.1},
    ]
)
own.param_groups[0]["lr"] = 0.02
frozen = torch.optim.SGD(
    [{"params": body.parameters(), "lr": 0.0}, {"params": head.parameters(), "lr": 0.1}]
)


def update_lr(optimizer, rate):
    optimizer.param_groups[0]["lr"] = rate


update_lr(frozen, 0.01)
print(own.param_groups[0]["lr"])
for optimizer in (single, own, frozen):
    optimizer.zero_grad()
    head(body(torch.randn(8, 4))).square().mean().backward()
    optimizer.step()
```

Fine (the others are set too):

```python
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([{"params": body.parameters()}, {"params": head.parameters()}], lr=0.1)
for step in range(4):
    optimizer.param_groups[0]["lr"] = 0.1 / (step + 1)
    optimizer.param_groups[1]["lr"] = 0.2 / (step + 1)
    optimizer.zero_grad()
    head(body(torch.randn(8, 4))).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def others_keep_theirs(code: Code) -> Hits:
    for statement, optimizer, target in code.first_group_alone():
        name = code.text_of(optimizer)
        says = f"`{name}` has several groups, and the rate of the first alone is set"
        fix = None
        if target is not None:
            indent = code.indentation(statement)
            deeper = indent + ("\t" if "\t" in indent else "    ")
            rest = code.text_of(statement).removeprefix(code.text_of(target))
            text = f'for group in {name}.param_groups:{code.newline}{deeper}group["lr"]{rest}'
            fix = Fix("Set it in each group", (code.replace(statement, text),))
        yield code.hit(statement, says, fix)
