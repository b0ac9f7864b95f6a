r"""The best weights are kept without a copy, and go on changing.

`state_dict()` copies nothing: its tensors are the parameters' own memory, and each later step of the optimizer changes
them too. What is loaded back at the end is what the model holds already. So an early stop returns the last weights and
not the best, and weights that were put aside for an evaluation with others do not come back. `.cpu()` copies on a GPU and
not on the CPU, `.detach()` and `.data` never; `copy.copy` and `dict(...)` copy the dictionary and not what is in it.
`best_model = model` is a second name and no copy at all.

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
        best = model.state_dict()  # here: it is `model`'s own memory
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

Bad (a second name):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
x, y = torch.randn(16, 4), torch.randn(16, 1)
lowest = float("inf")
for epoch in range(6):
    loss = (model(x) - y).square().mean()
    if loss.item() < lowest:
        lowest, was = loss.item(), model.weight.detach().clone()
        best_model = model  # here: the same model
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save(best_model.state_dict(), "best.pt")
```

Proof:

```python
assert not torch.equal(best_model.weight, was)
```

Bad (put back for each fold, and by a class that stops early):

```python
import torch
from torch import nn


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.lowest = patience, float("inf")
        self.state = None

    def judge(self, loss, model):
        if loss < self.lowest:
            self.lowest = loss
            self.state = model.state_dict()  # here: it changes with each step

    def restore(self, model):
        model.load_state_dict(self.state)


def train(model, stopping, epochs=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for epoch in range(epochs):
        loss = model(x).square().mean()
        stopping.judge(loss.item(), model)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    stopping.restore(model)


torch.manual_seed(0)
model, x = nn.Linear(4, 1), torch.randn(16, 4)
was = model.weight.detach().clone()
begun = model.state_dict()  # here: the second fold begins where the first one ended
for fold in range(2):
    model.load_state_dict(begun)
    train(model, EarlyStopping(3))
```

Proof:

```python
assert not torch.equal(begun["weight"], was)
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

Fine (of the last round; the best of several models; while another model is trained):

```python
import torch
from torch import nn


def train(net, lr, epochs=3):
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    loss = torch.tensor(1.0)
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = net(torch.randn(8, 4)).square().mean()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            last = net.state_dict()
        if epoch == epochs - 1:
            final = net.state_dict()
    return loss.item(), last, final


lowest = float("inf")
for lr in (0.1, 0.01):
    candidate = nn.Linear(4, 1)
    loss, _, _ = train(candidate, lr)
    if loss < lowest:
        lowest, best_model, best = loss, candidate, candidate.state_dict()
        best_model = candidate
best_model.load_state_dict(best)

model = nn.Linear(4, 1)
state = model.state_dict()
critic = nn.Linear(4, 1)
train(critic, 0.1)
model.load_state_dict(state)
```
"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import LostState
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def used_after_more_training(code: Code) -> Hits:
    for kept in code.weights_kept():
        model, name = code.text_of(kept.model), code.text_of(kept.target)
        whole = kept.value is kept.model
        what = f"`{name}` is `{model}` itself" if whole else f"`{name}` is `{model}`'s own memory"
        line = code.position(kept.use)[0]
        says = f"{what}, not a copy: it is trained on before line {line} uses it"
        yield code.hit(kept.value, says, copied(code, kept.value, whole))


def copied(code: Code, value: ast.expr, whole: bool) -> Fix | None:
    text, deep = code.text_of(value), code.spell("copy.deepcopy", value)
    if deep:
        return Fix("Keep a copy", (code.replace(value, f"{deep}({text})"),))
    clones = f"{{key: each.clone() for key, each in {text}.items()}}"
    return None if whole else Fix("Keep a copy", (code.replace(value, clones),))


@pitfall.watches("state.lost")
def loaded_from_its_own_memory(seen: LostState) -> Hits:
    when = f"{seen.steps} steps later" if seen.steps else "after other weights were loaded"
    says = f"this is the memory of `{seen.module}` itself, not a copy: {when} nothing of it is left"
    yield seen.hit(f"{says} to load", steps=seen.steps)
