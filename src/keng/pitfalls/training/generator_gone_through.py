r"""A generator of parameters is gone through a second time, and is empty.

`model.parameters()` gives each parameter once. What counts or clips them goes through all, and so does an optimizer:
whatever comes next finds nothing. An optimizer then raises an error, but `clip_grad_norm_` clips nothing and gives zero
(since torch 2.6 with a warning), and a loop has no rounds.

Cure: `params = list(model.parameters())`, or `model.parameters()` anew for each use.

Bad:

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
params = net.parameters()
optimizer = torch.optim.SGD(params, lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    net(torch.ones(4, 2)).square().sum().mul(1000.0).backward()
    norm = nn.utils.clip_grad_norm_(params, 0.01)  # here: gone through on line 6
    optimizer.step()
```

Proof:

```python
assert norm == 0 and net.weight.grad.norm() > 1
```

Bad (empty from the second round on):

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
clipped = (p for p in net.parameters() if p.requires_grad)
for _ in range(2):
    net(torch.ones(4, 2)).square().sum().mul(1000.0).backward()
    norm = nn.utils.clip_grad_norm_(clipped, 0.01)  # here: gone through in the round before
    optimizer.step()
```

Proof:

```python
assert norm == 0 and net.weight.grad.norm() > 1
```

Bad (a filter, which is a generator too):

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
learning = filter(lambda p: p.requires_grad, net.parameters())
print(sum(p.numel() for p in learning))
for p in learning:  # here: gone through on line 6
    nn.init.zeros_(p)
```

Proof:

```python
assert net.weight.abs().sum() > 0
```

Good:

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
params = list(net.parameters())
optimizer = torch.optim.SGD(params, lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    net(torch.ones(4, 2)).square().sum().mul(1000.0).backward()
    nn.utils.clip_grad_norm_(params, 0.01)
    optimizer.step()
```

Fine (a list; made anew; only the first of them; one or the other; for each model its own; for one round only):

```python
import torch
from torch import nn

net, adaptive = nn.Linear(2, 2), True
named = net.named_parameters()
print(dict(named).keys())
named = net.named_parameters()
groups = [{"params": p, "lr": 0.1} for _, p in named]
each = net.parameters()
print(next(each).device)
heads = sum(p.numel() for p in each)
first = net.parameters()
for p in first:
    if p.ndim > 1:
        break
rest = net.parameters()
if adaptive:
    optimizer = torch.optim.Adam(rest)
else:
    optimizer = torch.optim.SGD(rest, lr=0.1)
for model in (net, nn.Linear(2, 2)):
    own = model.parameters()
    net(torch.ones(1, 2)).sum().backward()
    nn.utils.clip_grad_norm_(own, 1.0)
once = net.parameters()
for step in range(2):
    if step == 0:
        print(len(list(once)))
later = net.parameters()
for step in range(2):
    print(len(list(later)))
    break
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def nothing_left(code: Code) -> Hits:
    for name, made, before, sure in code.used_up():
        when = f"on line {code.line_of(before)}" if before else "in the round before"
        says = f"`{name.id}` is a generator that was gone through {when}: nothing is left of it"
        fix = Fix("Keep them in a list", (code.as_list(made),))
        yield code.hit(name, says, fix, sure)
