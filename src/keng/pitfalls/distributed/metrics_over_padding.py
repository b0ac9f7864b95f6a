r"""A metric counts some samples twice, since the sampler padded the data.

`DistributedSampler` gives every rank the same number of samples: where the data cannot be divided it repeats some from
the beginning. For training that is harmless; a metric that is summed over the ranks counts those twice, and its value
depends on the number of cards.

Cure: divide evaluation data by hand (`Subset(data, range(rank, len(data), world_size))`), or evaluate with
`drop_last=True` and the rest on one rank; or cut what was gathered to `len(data)`.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

data = TensorDataset(torch.randn(5, 4), torch.tensor([0, 1, 0, 1, 0]))
model = nn.Linear(4, 2).eval()
seen = 0
for rank in range(2):
    sampler = DistributedSampler(data, num_replicas=2, rank=rank, shuffle=False)  # here: padded
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    correct, total = 0, 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    seen += total
```

Proof:

```python
assert seen == 6 and len(data) == 5
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

data = TensorDataset(torch.randn(5, 4), torch.tensor([0, 1, 0, 1, 0]))
model = nn.Linear(4, 2).eval()
for rank in range(2):
    loader = DataLoader(Subset(data, range(rank, len(data), 2)), batch_size=2)
    correct, total = 0, 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
            total += len(y)
```

Fine (nothing repeated; trained with; nothing counted):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

data = TensorDataset(torch.randn(5, 4), torch.tensor([0, 1, 0, 1, 0]))
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
even = DistributedSampler(data, num_replicas=2, rank=0, shuffle=False, drop_last=True)
ordered = DistributedSampler(data, num_replicas=2, rank=0, shuffle=False)
total = 0
with torch.no_grad():
    for x, y in DataLoader(data, batch_size=2, sampler=even):
        total += len(y)
    for x, y in DataLoader(data, batch_size=2, sampler=ordered):
        print(model(x).argmax(1))
for x, y in DataLoader(data, batch_size=2, sampler=ordered):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    total += len(y)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def some_counted_twice(code: Code) -> Hits:
    for sampler in code.padded_samplers_counted():
        says = "the last samples are repeated to fill up: what is counted here counts them twice"
        yield code.hit(sampler, says)
