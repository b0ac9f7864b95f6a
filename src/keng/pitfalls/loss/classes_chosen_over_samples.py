r"""The class is chosen along the samples of a batch.

A model gives (batch, classes) for a batch. `argmax(0)` and `torch.max(output, 0)` look down each column: for each class they
give the number of the sample that is most like it. Compared with the labels that is an error where batch and classes differ
in number, and where they are equal, or one of them is 1, an accuracy of nothing.

Cure: `output.argmax(dim=1)`, or `dim=-1`.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model, correct = nn.Linear(4, 4), 0
nn.init.eye_(model.weight)
data = TensorDataset(torch.eye(4).repeat(8, 1), torch.arange(4).repeat(8))
for x, y in DataLoader(data, batch_size=4, shuffle=True):
    output = model(x)
    correct += (output.argmax(0) == y).sum().item()  # here: the samples
```

Proof:

```python
assert correct < 24 and all((model(x).argmax(1) == y).all() for x, y in DataLoader(data))
```

Bad (by `max`, under a name):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model, hits = nn.Linear(4, 4), []
nn.init.eye_(model.weight)
data = TensorDataset(torch.eye(4).repeat(8, 1), torch.arange(4).repeat(8))
for step, batch in enumerate(DataLoader(data, batch_size=4, shuffle=True)):
    x, y = batch
    x, y = x.to("cpu"), y.to("cpu")
    _, predicted = torch.max(model(x), 0)  # here: the samples
    hits.append(predicted.eq(y).float().mean())
```

Proof:

```python
assert sum(hits) / len(hits) < 0.8
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model, correct = nn.Linear(4, 4), 0
nn.init.eye_(model.weight)
data = TensorDataset(torch.eye(4).repeat(8, 1), torch.arange(4).repeat(8))
for x, y in DataLoader(data, batch_size=4, shuffle=True):
    output = model(x)
    correct += (output.argmax(dim=1) == y).sum().item()
```

Fine (over the classes; of one sample; of what has the classes first; compared with something else; sample by sample):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 4)
data = TensorDataset(torch.eye(4).repeat(8, 1), torch.arange(4).repeat(8))
best = torch.zeros(4, dtype=torch.long)
for x, y in DataLoader(data, batch_size=4):
    output = model(x)
    hits = (output.argmax(-1) == y).sum() + (torch.max(output, 1)[1] == y).sum()
    first = output[0].argmax(0) == y[0]
    turned = output.t().argmax(0) == y
    values = output.max(0).values == y
    same = output.argmax(0) == best
for x, y in data:
    told = model(x).argmax(0) == y
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def most_like_each_class(code: Code) -> Hits:
    for call, output in code.chosen_over_samples():
        says = f"dimension 0 of `{code.text_of(output)}` is the samples of the batch"
        yield code.hit(call, f"{says}: the classes are dimension 1")
