r"""All labels are of one class, or all of a batch are.

A comparison of a number with a text, a column that was parsed as something else, a mapping whose default catches all: every
sample gets one label. The loss falls to zero at once and the accuracy is perfect, on the training data and on
held-out data made by the same code.

Where the rows lie sorted by class, as those of folders of images do, and the loader does not shuffle, the labels of each
batch are of one class. The model learns to answer with it, and forgets it over the next: each epoch ends with a
model that knows the last class. Batch norm in training sees one class at a time as well.

Cure: count the labels once before training: `Counter(y for _, y in dataset)`; `DataLoader(..., shuffle=True)` for training.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
names = ["cat", "dog "] * 32
labels = torch.tensor([1 if name == "dog" else 0 for name in names])
loader = DataLoader(TensorDataset(torch.randn(64, 4), labels), batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)  # seen: always 0
        loss.backward()
        optimizer.step()
```

Proof:

```python
assert labels.unique().tolist() == [0]
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
names = ["cat", "dog "] * 32
labels = torch.tensor([1 if name.strip() == "dog" else 0 for name in names])
loader = DataLoader(TensorDataset(torch.randn(64, 4), labels), batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
```

Bad (sorted by class):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
labels = torch.arange(256) // 64
rows = torch.randn(256, 8) + 2 * nn.functional.one_hot(labels, 8)
loader = DataLoader(TensorDataset(rows, labels), batch_size=8)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)  # seen: eight of one class
        loss.backward()
        optimizer.step()
```

Proof:

```python
right = model(rows).argmax(1) == labels
assert right[:64].float().mean() < 0.5 < right[-64:].float().mean()
```

Fine (classes in turns; the right one of each row stands first; a pass that is left early; held-out data of one class):

```python
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.arange(64) // 4 % 4
loader = DataLoader(TensorDataset(x, y), batch_size=8)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for given, wanted in loader:
        optimizer.zero_grad()
        one, other = model(given), model(given + 0.1)
        right = torch.zeros(len(given), dtype=torch.long)
        (F.cross_entropy(one @ other.t(), right) + F.cross_entropy(one, wanted)).backward()
        optimizer.step()
for given, wanted in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(given), wanted).backward()
    optimizer.step()
    if len(optimizer.state) or wanted.any():
        break
model.eval()
with torch.no_grad():
    for given, wanted in DataLoader(TensorDataset(x[:4], y[:4]), batch_size=2):
        held_out = F.cross_entropy(model(given), wanted)
```

Fine (tasks of one class each, as clients of a federation have them):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.arange(64) // 32
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for task in range(2):
    rows = y == task
    for given, wanted in DataLoader(TensorDataset(x[rows], y[rows]), batch_size=8, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(given), wanted).backward()
        optimizer.step()
```

Fine (sorted: one step for all rows; classes that are told apart easily; a batch for each class; a single pass):

```python
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
labels = torch.arange(256) // 64
rows = torch.randn(256, 8) + 2 * F.one_hot(labels, 8)


def train(data, batch_size, epochs, steps_each):
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loader = DataLoader(data, batch_size=batch_size)
    for epoch in range(epochs):
        for count, (x, y) in enumerate(loader, 1):
            (F.cross_entropy(model(x), y) / steps_each).backward()
            if count % steps_each == 0:
                optimizer.step()
                optimizer.zero_grad()


train(TensorDataset(rows, labels), 8, 4, 32)
train(TensorDataset(rows + 8 * F.one_hot(labels, 8), labels), 8, 4, 1)
train(TensorDataset(rows, labels), 64, 4, 1)
train(TensorDataset(rows, labels), 8, 1, 1)
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import ConstantLabels, SortedLabels

pitfall = Pitfall(__name__, __doc__, severity="warning")

ENOUGH = 20
"""Labels. Fewer may be of one class by chance: half a million to one, where two are equally frequent."""


@pitfall.watches("labels.constant")
def one_class(seen: ConstantLabels) -> Hits:
    if seen.classes > 1 and seen.count >= ENOUGH:
        says = f"all {seen.count} labels of a whole pass are {seen.label}"
        yield seen.hit(f"{says}; the model has {seen.classes} classes", labels=seen.count)


@pitfall.watches("labels.sorted")
def class_after_class(seen: SortedLabels) -> Hits:
    """Who always answers with one class is right once for every class."""
    guessed = 1 / seen.classes
    if seen.rows >= ENOUGH and seen.first < guessed / 2 and seen.later > guessed:
        says = "the rows come sorted by class, and each class is forgotten during the others"
        shares = f"{seen.first:.0%} right when it begins again, {seen.later:.0%} after that"
        yield seen.hit(f"{says}: {shares}", classes=seen.classes, batches=seen.batches)
