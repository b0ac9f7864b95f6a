r"""A graph is kept that no second backward uses.

`backward` frees the values that the forward pass has kept for it. `retain_graph=True` leaves them where they are, for a
second backward through the same graph. In a loop with one backward there is none: the memory of the activations is
held until the loss of the next round takes its place, and two rounds' activations lie side by side. Often it was put
there to silence "Trying to backward through the graph a second time", whose cause it hides.

Cure: leave it out. Where the error comes back, something of the last round is still in use: detach it.

Bad:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8)).square().mean()
    loss.backward(retain_graph=True)  # here: one backward for each graph
    optimizer.step()
```

Proof:

```python
kept = loss.grad_fn.next_functions[0][0]._saved_self
assert kept.shape == (4, 1)
```

Good:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8)).square().mean()
    loss.backward()
    optimizer.step()
```

Fine (two backwards through one graph; a graph from before the loop; a gradient of the gradient):

```python
import torch
from torch import nn

model, other = nn.Linear(8, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*model.parameters(), *other.parameters()], lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    features = model(torch.randn(4, 8))
    first, second = features.square().mean(), other(features).square().mean()
    first.backward(retain_graph=True)
    second.backward()
    optimizer.step()
image = torch.zeros(4, 8, requires_grad=True)
style = torch.tanh(model(torch.ones(4, 8)))
tune = torch.optim.SGD([image], lr=0.1)
for step in range(2):
    tune.zero_grad()
    loss = (image - style).square().mean()
    loss.backward(retain_graph=True)
    tune.step()
for step in range(2):
    optimizer.zero_grad()
    x = torch.randn(4, 8, requires_grad=True)
    loss = other(x).square().mean()
    (slope,) = torch.autograd.grad(loss, x, create_graph=True)
    slope.square().mean().backward(retain_graph=True)
    optimizer.step()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import RetainedGraph
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def kept_for_nothing(code: Code) -> Hits:
    for loop in code.training_loops:
        call, keyword = code.only_backward_retaining(loop)
        if call is None or keyword is None or code.graph_from_elsewhere(loop):
            continue
        fix = Fix("Let backward free the graph", (code.without_argument(call, keyword),))
        yield code.hit(
            keyword, "no second backward goes through this graph: it is kept for nothing", fix
        )


@pitfall.watches("graph.retained")
def nobody_came_back(seen: RetainedGraph) -> Hits:
    says = f"this line has kept {seen.times} graphs, and no later backward went through any"
    yield seen.hit(says, graphs=seen.times)
