r"""Each round of a loop sets the loss anew, and only the last one is left.

`loss = criterion(...)` in a loop over tasks, heads or scales forgets what the rounds before gave: behind the loop `loss` is
that of the last. The others are computed and teach nothing, without a word; their metrics stay where chance has them.

Cure: start at zero and add: `loss = loss + criterion(...)`, or gather the terms in a list and `sum` them.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
trunk = nn.Linear(8, 4)
heads = nn.ModuleDict({"digit": nn.Linear(4, 10), "parity": nn.Linear(4, 2)})
x, targets = (
    torch.randn(16, 8),
    {"digit": torch.randint(10, (16,)), "parity": torch.randint(2, (16,))},
)
features = trunk(x)
loss = torch.zeros(())
for name, head in heads.items():
    loss = nn.functional.cross_entropy(head(features), targets[name])  # here: of the last task
loss.backward()
```

Proof:

```python
assert heads["digit"].weight.grad is None and heads["parity"].weight.grad is not None
```

Bad (in a function, with weights; the sum is returned):

```python
import torch
from torch import nn

WEIGHTS = {"digit": 1.0, "parity": 0.5}


def total_loss(outputs, targets):
    loss = 0.0
    for name, weight in WEIGHTS.items():
        task_loss = nn.functional.cross_entropy(outputs[name], targets[name])
        loss = weight * task_loss  # here: it forgets the digit
    return loss


outputs = {name: torch.randn(16, 4, requires_grad=True) for name in WEIGHTS}
targets = {name: torch.randint(4, (16,)) for name in WEIGHTS}
total_loss(outputs, targets).backward()
```

Proof:

```python
assert outputs["digit"].grad is None
```

Bad (batches are to be gathered for one step; the printed numbers look well):

```python
import torch
from torch import nn

torch.manual_seed(0)
model, criterion = nn.Linear(4, 2), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [(torch.randn(8, 4), torch.randint(2, (8,))) for _ in range(4)]
for _ in range(2):
    optimizer.zero_grad()
    for x, y in batches:
        loss = criterion(model(x), y)  # here: three of four batches are forgotten
        print(f"{loss.item():.3f}")
    loss.backward()
    optimizer.step()
```

Proof:

```python
model.zero_grad()
criterion(model(x), y).backward()
last = model.weight.grad.clone()
model.zero_grad()
sum(criterion(model(x), y) for x, y in batches).backward()
assert not torch.allclose(last, model.weight.grad, atol=1e-3)
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
trunk = nn.Linear(8, 4)
heads = nn.ModuleDict({"digit": nn.Linear(4, 10), "parity": nn.Linear(4, 2)})
x, targets = (
    torch.randn(16, 8),
    {"digit": torch.randint(10, (16,)), "parity": torch.randint(2, (16,))},
)
features = trunk(x)
loss = torch.zeros(())
for name, head in heads.items():
    loss = loss + nn.functional.cross_entropy(head(features), targets[name])
loss.backward()
```

Fine (the last of an unrolled loop is meant; a step in each round; kept in a list; left at the first that fits; one of several by a condition):

```python
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
cell, body, head = nn.GRUCell(4, 8), nn.Linear(4, 8), nn.Linear(8, 2)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
sequence, y = torch.randn(5, 16, 4), torch.randint(2, (16,))
h = torch.zeros(16, 8)
for x in sequence:
    h = cell(x, h)
    loss = F.cross_entropy(head(h), y)
loss.backward()
estimate, loss = torch.zeros(16, 8), 0.0
for x in sequence:
    estimate = estimate + 0.1 * body(x)
    loss = F.cross_entropy(head(estimate), y)
loss.backward()
for x in sequence:
    loss = F.cross_entropy(head(body(x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
kept, total = [], 0.0
for x in sequence:
    loss = F.cross_entropy(head(body(x)), y)
    kept.append(loss)
    total = total + loss
(torch.stack(kept).mean() + total).backward()
for x in sequence:
    loss = F.cross_entropy(head(body(x)), y)
    if loss < 1:
        break
loss.backward()
loss = 0.0
for n, x in enumerate(sequence):
    if n == 2:
        loss = F.cross_entropy(head(body(x)), y)
loss.backward()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def only_the_last_is_left(code: Code) -> Hits:
    for kept, name, loop, zero in code.losses_overwritten():
        says = f"each round over `{code.text_of(loop.iter)}` sets `{name}` anew: only the last is left behind it"
        added = Fix("Add them", (code.insert(kept.value, f"{name} + "),), "unsafe")
        yield code.hit(kept, says, added if zero else None)
