r"""A running total keeps the graph of every step alive.

A loss holds the graph that computed it. `total += loss` links all those graphs into one, and
`losses.append(loss)` keeps each: memory grows with every step until it ends, and the run dies after
hours with an out-of-memory error in a line that is innocent.

Cure: keep the number, `loss.item()`, or the value without its graph, `loss.detach()`, which does not
wait for the device.

Bad:

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total = 0.0
for step in range(40):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
    total += loss  # here: the graphs of all steps hang on `total`
```

Bad (a list):

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
losses = []
for step in range(40):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
    losses.append(loss)  # here: each keeps its graph
mean = torch.stack(losses).mean().item()
```

Bad (an attribute, a term of the loss):

```python
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.model = nn.Linear(8, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.total = 0.0

    def fit(self, steps):
        for step in range(steps):
            self.optimizer.zero_grad()
            fit = self.model(torch.randn(16, 8)).square().mean()
            penalty = self.model.weight.abs().sum()
            loss = fit + 0.1 * penalty
            loss.backward()
            self.optimizer.step()
            self.total += fit  # here: a term of the loss keeps the graph too


trainer = Trainer()
trainer.fit(40)
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total, losses = 0.0, []
for step in range(40):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
    total += loss.item()
    losses.append(loss.detach())
```

Fine (a loss of several terms, a bounded window, a list that is emptied, totals without a graph, evaluation):

```python
from collections import deque

import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
window, recent = deque(maxlen=20), []
average, positive = 0.0, 0
for step in range(40):
    optimizer.zero_grad()
    loss = 0.0
    for scale in (0.5, 1.0):
        output = model(scale * torch.randn(16, 8))
        loss += output.square().mean()
    loss.backward()
    optimizer.step()
    window.append(loss)
    recent.append(loss)
    if len(recent) == 4:
        print(torch.stack(recent).mean().item())
        recent.clear()
    hits = (output > 0).sum()
    positive += hits
    with torch.no_grad():
        average += 0.1 * loss
losses = []
for step in range(3):
    losses.append(model(torch.randn(16, 8)).square().mean())
torch.stack(losses).sum().backward()
total = 0.0
with torch.no_grad():
    for step in range(40):
        loss = model(torch.randn(16, 8)).square().mean()
        total += loss
```

Fine (a window that only a closure sees, and one that is an attribute):

```python
from collections import deque

import torch
from torch import nn


def smoother(width):
    last = deque(maxlen=width)

    def smooth(loss):
        last.append(loss)
        return torch.stack(tuple(last)).median().item()

    return smooth


class Trainer:
    def __init__(self):
        self.model, self.last = nn.Linear(8, 1), deque(maxlen=4)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)

    def fit(self, steps, smooth):
        for step in range(steps):
            self.optimizer.zero_grad()
            loss = self.model(torch.randn(16, 8)).square().mean()
            loss.backward()
            self.optimizer.step()
            self.last.append(loss)
            shown = smooth(loss)


Trainer().fit(40, smoother(width=20))
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.moments import HeldGraphs
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def graph_kept_after_backward(code: Code) -> Hits:
    for loop in code.training_loops:
        lost = [part for loss in code.losses(loop) for part in code.parts(loss)]
        for node, holder, value in code.kept_values(loop):
            names = [
                n for n in code.attached(value) if any(code.same_value(n, part) for part in lost)
            ]
            if not names or code.grad_at(node) is not Grad.ON:
                continue
            if code.renewed_in(holder, loop) or code.bounded(holder):
                continue
            edits = tuple(code.append(name, ".detach()") for name in names)
            text = code.text_of(holder)
            fix = Fix("Keep the value without its graph: `.detach()`", edits)
            yield code.hit(
                node, f"`{text}` keeps the graph of every step through `{names[0].id}`", fix=fix
            )


@pitfall.watches("graphs.held")
def one_more_graph_each_step(held: HeldGraphs) -> Hits:
    holder = held.holder
    if holder is None or holder.bounded:
        return
    memory = held.bytes / 2**20
    says = f"`{holder.name}` holds the graphs of {held.graphs} steps, about {memory:.2g} MB, and one more each step"
    yield held.hit(
        says, where=holder.where, graphs=held.graphs, holder=holder.name, bytes=held.bytes
    )
