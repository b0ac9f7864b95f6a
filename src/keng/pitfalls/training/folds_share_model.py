r"""All folds of a cross-validation train one model.

A model that is made before the loop over folds goes from fold to fold with all it has learned. From the second fold on it has seen
the samples that it is validated on: the scores rise fold by fold, and their mean tells nothing of new data. An optimizer that is
made before the loop carries its moments over in the same way.

Cure: make model and optimizer within the loop, or load a copy of the initial state at the begin of each fold.

Bad:

```python
import torch
from sklearn.model_selection import KFold
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(60, 20), torch.randint(2, (60,))
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion, scores = nn.CrossEntropyLoss(), []
for train, val in KFold(5).split(x):
    for _ in range(60):
        optimizer.zero_grad()
        criterion(model(x[train]), y[train]).backward()  # here: what the folds before have trained
        optimizer.step()
    scores.append((model(x[val]).argmax(1) == y[val]).float().mean().item())
```

Proof:

```python
assert scores[0] < 0.7 < 0.9 < scores[-1]  # labels are drawn by chance
```

Bad (by a function, folds counted):

```python
import torch
from sklearn import model_selection
from torch import nn


def train(net, optimizer, x, y):
    for _ in range(60):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()


torch.manual_seed(0)
x, y = torch.randn(60, 20), torch.arange(60) % 2
net, scores = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 2)), []
folds = model_selection.StratifiedKFold(n_splits=5)
for fold, (seen, unseen) in enumerate(folds.split(x, y)):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    train(net, optimizer, x[seen], y[seen])  # here: too
    scores.append((net(x[unseen]).argmax(1) == y[unseen]).float().mean().item())
```

Proof:

```python
assert scores[0] < 0.7 < 0.9 < scores[-1]
```

Good:

```python
import torch
from sklearn.model_selection import KFold
from torch import nn

x, y = torch.randn(60, 20), torch.randint(2, (60,))
criterion, scores = nn.CrossEntropyLoss(), []
for train, val in KFold(5).split(x):
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(10):
        optimizer.zero_grad()
        criterion(model(x[train]), y[train]).backward()
        optimizer.step()
    with torch.no_grad():
        scores.append((model(x[val]).argmax(1) == y[val]).float().mean().item())
```

Fine (the initial state is loaded for each fold; features of a model that is not trained; the first fold alone):

```python
import copy

import torch
from sklearn.model_selection import KFold
from torch import nn

x, y = torch.randn(60, 20), torch.randint(2, (60,))
criterion, features = nn.CrossEntropyLoss(), nn.Linear(20, 8).requires_grad_(False)
model = nn.Linear(20, 2)
initial = copy.deepcopy(model.state_dict())
for train, val in KFold(5).split(x):
    model.load_state_dict(initial)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(2):
        optimizer.zero_grad()
        criterion(model(x[train]), y[train]).backward()
        optimizer.step()
for train, val in KFold(5).split(x):
    head = nn.Linear(8, 2)
    optimizer = torch.optim.Adam(head.parameters(), lr=0.01)
    for _ in range(2):
        optimizer.zero_grad()
        criterion(head(features(x[train])), y[train]).backward()
        optimizer.step()
single = nn.Linear(20, 2)
optimizer = torch.optim.Adam(single.parameters(), lr=0.01)
for train, val in KFold(5).split(x):
    for _ in range(2):
        optimizer.zero_grad()
        criterion(single(x[train]), y[train]).backward()
        optimizer.step()
    break
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def trained_from_fold_to_fold(code: Code) -> Hits:
    for name, loop in code.folds_of_one_model():
        says = f"`{name.id}` is made before the folds of line {loop.lineno}, and keeps what each has taught it"
        yield code.hit(name, says)
