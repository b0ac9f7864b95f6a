r"""All labels are of one class.

A comparison of a number with a text, a column that was parsed as something else, a mapping whose default catches all: every
sample gets one label. The loss falls to zero at once and the accuracy is perfect, on the training data and on
held-out data made by the same code.

Cure: count the labels once before training: `Counter(y for _, y in dataset)`.

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

Fine (sorted; the right one of each row stands first; a pass that is left early; held-out data of one class):

```python
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.arange(64) // 32
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
    for given, wanted in DataLoader(TensorDataset(x[:16], y[:16]), batch_size=8):
        held_out = F.cross_entropy(model(given), wanted)
```
"""

from keng.model import Hits, Pitfall
from keng.moments import ConstantLabels

pitfall = Pitfall(__name__, __doc__, severity="warning")


ENOUGH = 20
"""Labels. Fewer may be of one class by chance: half a million to one, where two are equally frequent."""


@pitfall.watches("labels.constant")
def one_class(seen: ConstantLabels) -> Hits:
    if seen.classes > 1 and seen.count >= ENOUGH:
        says = f"all {seen.count} labels of a whole pass are {seen.label}"
        yield seen.hit(f"{says}; the model has {seen.classes} classes", labels=seen.count)
