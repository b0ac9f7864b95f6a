r"""A DataLoader that drops the last batch has no other.

With `drop_last=True` a batch that is not full is left out. Where the data has fewer samples than one batch, that is the only
one there is: the loop over the loader ends before it begins, no step is taken, and a mean of no losses is 0 or NaN.
So it is, too, with a small part for validation and the batch size of the training.

Cure: a smaller batch, or `drop_last=False`; `assert len(loader)` where a loader is made.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(20, 4), torch.randn(20, 1))
loader = DataLoader(data, batch_size=32, shuffle=True, drop_last=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
steps = 0
for epoch in range(3):
    for x, y in loader:  # seen: no batch at all
        optimizer.zero_grad()
        (model(x) - y).square().mean().backward()
        optimizer.step()
        steps += 1
```

Proof:

```python
assert steps == 0
```

Bad (a part of the data, for validation):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
train, held_out = random_split(TensorDataset(torch.randn(100, 4)), [90, 10])
settings = {"batch_size": 16, "drop_last": True}
loaders = [DataLoader(part, **settings) for part in (train, held_out)]
counts = []
for loader in loaders:
    counts.append(sum(len(x) for (x,) in loader))  # seen: 10 samples are no batch of 16
```

Proof:

```python
assert counts == [80, 0]
```

Good:

```python
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
train, held_out = random_split(TensorDataset(torch.randn(100, 4)), [90, 10])
counts = []
for part, dropped in ((train, True), (held_out, False)):
    counts.append(sum(len(x) for (x,) in DataLoader(part, batch_size=16, drop_last=dropped)))
```

Fine (no data at all; one batch that is just full; a pass that is gone through to its end twice):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

empty = TensorDataset(torch.randn(0, 4))
full = TensorDataset(torch.randn(16, 4))
for data in (empty, full):
    for (x,) in DataLoader(data, batch_size=16, drop_last=True):
        assert len(x) == 16
batches = iter(DataLoader(full, batch_size=16, drop_last=True))
assert len(list(batches)) == 1
assert next(batches, None) is None
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import EmptyPass

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("loader.empty")
def no_full_batch(seen: EmptyPass) -> Hits:
    says = f"the loader gives nothing: {seen.samples} samples are no batch of {seen.size}"
    yield seen.hit(f"{says}, and `drop_last` leaves them out", samples=seen.samples)
