r"""The best weights are kept without a copy, and go on changing.

`state_dict()` copies nothing: its tensors are the parameters' own memory, and each later step of the optimizer changes
them too. What is loaded back at the end is what the model holds already. So an early stop returns the last weights and
not the best, and weights that were put aside for an evaluation with others do not come back. `.cpu()` copies on a GPU and
not on the CPU, `.detach()` and `.data` never; `copy.copy` and `dict(...)` copy the dictionary and not what is in it.

Cure: `copy.deepcopy(model.state_dict())`, or write it to a file.

Bad (an early stop):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
x, y = torch.randn(16, 4), torch.randn(16, 1)
lowest, best = float("inf"), None
for epoch in range(6):
    loss = (model(x) - y).square().mean()
    if loss.item() < lowest:
        lowest = loss.item()
        best = model.state_dict()  # seen: it is `model`'s own memory
        was = model.weight.detach().clone()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.load_state_dict(best)
```

Proof:

```python
assert not torch.equal(model.weight, was)
```

Bad (put aside for an evaluation with averaged weights):

```python
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
average = copy.deepcopy(model.state_dict())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    for name, value in model.state_dict().items():
        average[name].lerp_(value, 0.1)
    trained = model.weight.detach().clone()
    state = model.state_dict()  # seen: no copy on the CPU
    aside = {name: value.cpu() for name, value in state.items()}
    model.load_state_dict(average)
    model.load_state_dict(aside)
```

Proof:

```python
assert not torch.equal(model.weight, trained)
```

Good:

```python
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
x, y = torch.randn(16, 4), torch.randn(16, 1)
lowest, best = float("inf"), None
for epoch in range(6):
    loss = (model(x) - y).square().mean()
    if loss.item() < lowest:
        lowest = loss.item()
        best = copy.deepcopy(model.state_dict())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.load_state_dict(best)
```

Fine (loaded before anything has changed; taken from a wrapper of the same model; a part of it is new; written at once):

```python
import copy
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
begun = model.state_dict()
model.load_state_dict(begun)
wrapped = nn.Sequential(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
first = copy.deepcopy(begun)
for epoch in range(3):
    optimizer.zero_grad()
    wrapped(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
model.load_state_dict({name[2:]: value for name, value in wrapped.state_dict().items()})
model.load_state_dict(begun | {"1.weight": torch.zeros(1, 4)})
model.load_state_dict(first)
```
"""

from keng.model import Hits, Pitfall
from keng.moments import LostState

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("state.lost")
def loaded_from_its_own_memory(seen: LostState) -> Hits:
    when = f"{seen.steps} steps later" if seen.steps else "after other weights were loaded"
    says = f"this is the memory of `{seen.module}` itself, not a copy: {when} nothing of it is left"
    yield seen.hit(f"{says} to load", steps=seen.steps)
