r"""The negative log-likelihood gets raw scores where it takes log-probabilities.

`nn.NLLLoss` and `F.nll_loss` pick the number of the right class from each row, change its sign, and that is all: the
logarithm and the normalization are to be there before. Of raw scores the loss has no least value: it falls below zero
and on without end, as all scores of the right classes grow, whatever the others are. Nothing is raised; the
accuracy stays where it was, or the weights grow until they overflow.

Cure: `nn.CrossEntropyLoss` on the raw scores; or `F.log_softmax(scores, dim=1)` at the model's end.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
x, y = torch.randn(64, 8), torch.randint(3, (64,))
for step in range(30):
    optimizer.zero_grad()
    loss = criterion(model(x), y)  # here: no probability has a logarithm above 0
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert loss < -1
```

Bad (a decoder, whose scores of each time step are stacked):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
cell, out = nn.GRUCell(4, 8), nn.Linear(8, 5)
state, scores = torch.zeros(6, 8), []
for token in torch.randn(7, 6, 4):
    state = cell(token, state)
    scores.append(out(state))
loss = F.nll_loss(torch.stack(scores, 2), torch.randint(5, (6, 7)))  # seen: `out`
loss.backward()
```

Proof:

```python
assert torch.stack(scores, 2).max() > 0
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
x, y = torch.randn(64, 8), torch.randint(3, (64,))
for step in range(30):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
```

Fine (logarithms made in the model or after it; of what is no layer of scores):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.out = nn.Linear(8, 8), nn.Linear(8, 3)

    def forward(self, x):
        return F.log_softmax(self.out(F.relu(self.body(x))), dim=1)


torch.manual_seed(0)
model, layer, ends = Classifier(), nn.Linear(8, 3), nn.LogSoftmax(dim=1)
x, y = torch.randn(16, 8), torch.randint(3, (16,))
criterion = nn.NLLLoss()
criterion(model(x), y).backward()
criterion(ends(layer(x)), y).backward()
criterion(nn.Sequential(layer, ends)(x), y).backward()
F.nll_loss((F.softmax(layer(x), dim=1) + 1e-8).log(), y).backward()
centres = nn.Parameter(torch.randn(3, 8))
densities = torch.distributions.Normal(centres, 0.1).log_prob(x[:, None]).sum(2)
F.nll_loss(densities, y).backward()
```

Fine (the normalization by hand, or as a term of its own):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model, x, y = nn.Linear(8, 3), torch.randn(16, 8), torch.randint(3, (16,))
scores = model(x)
F.nll_loss(scores - scores.logsumexp(1, keepdim=True), y).backward()
scores = model(x)
(F.nll_loss(scores, y) + scores.logsumexp(1).mean()).backward()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import LossGraph
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

LAYERS = ("torch.nn.Linear", "torch.nn.Conv1d", "torch.nn.Conv2d", "torch.nn.Conv3d")
SUMS = ("logsumexp", "logaddexp", "exp")
"""What makes a normalization that stands beside the loss."""


@pitfall.finds
def scores_of_a_layer(code: Code) -> Hits:
    for call in code.loss_calls("torch.nn.NLLLoss", "torch.nn.functional.nll_loss"):
        given = code.argument(call, "input", position=0)
        origins = code.origins(given)
        if given is None or any(o.dotted not in LAYERS for o in origins):
            continue
        if not any(code.calls_named(name) for name in SUMS):
            layer = origins[0].dotted.rpartition(".")[2]
            says = f"`{code.text_of(given)}` holds the raw scores of a {layer}"
            yield code.hit(
                call, f"{says}, and nll_loss takes log-probabilities: cross_entropy takes scores"
            )


@pitfall.watches("loss.graph")
def scores_without_logarithm(graph: LossGraph) -> Hits:
    if raw := graph.raw_scores:
        given = f"`{raw.module}` gives" if raw.module else "a layer gives"
        says = f"{given} raw scores, up to {raw.highest:.3g}, and nll_loss takes log-probabilities, at most 0"
        yield graph.hit(f"{says}: cross_entropy takes the scores", where=raw.where)
