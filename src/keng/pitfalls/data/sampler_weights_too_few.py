r"""A WeightedRandomSampler has a weight for each class, and not for each sample.

`WeightedRandomSampler(weights, n)` draws indices below `len(weights)`. Given the weights of ten classes, it draws the first ten
samples of the dataset, over and over: the model learns these by heart, the loss falls, and nothing is said. It is so,
too, with the weights of a part of the data. The weights of the whole, for a part, draw indices that the part does not have.

Cure: look up the weight of each sample's class: `class_weights[labels]`, as long as the dataset.

Bad:

```python
import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = (torch.rand(200) < 0.1).long()
data = TensorDataset(torch.arange(200), labels)
class_weights = 1 / torch.bincount(labels).float()
sampler = WeightedRandomSampler(class_weights, len(data))
seen = set()
for index, label in DataLoader(data, batch_size=50, sampler=sampler):  # seen: 2 of 200
    seen |= set(index.tolist())
```

Proof:

```python
assert seen <= {0, 1}
```

Bad (the weights of a part, for the whole):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def balanced(labels, size):
    counts = torch.bincount(labels)
    return WeightedRandomSampler(1 / counts[labels], size)


torch.manual_seed(0)
labels = torch.randint(3, (90,))
data = TensorDataset(torch.arange(90), labels)
loader = DataLoader(data, batch_size=16, sampler=balanced(labels[:60], 90))
highest = max(int(index.max()) for index, _ in loader)  # seen: 60 of 90
```

Proof:

```python
assert highest < 60
```

Bad (the weights of the whole, for a part):

```python
import torch
from torch.utils.data import DataLoader, Subset, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = torch.randint(3, (90,))
part = Subset(TensorDataset(torch.arange(90), labels), list(range(60)))
sampler = WeightedRandomSampler(1 / torch.bincount(labels)[labels], 60)
try:
    batches = list(DataLoader(part, batch_size=16, sampler=sampler))  # seen: 90 of 60
except IndexError as error:
    refused = str(error)
```

Proof:

```python
assert "out of range" in refused
```

Good:

```python
import torch
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = (torch.rand(200) < 0.1).long()
data = TensorDataset(torch.arange(200), labels)
class_weights = 1 / torch.bincount(labels).float()
sampler = WeightedRandomSampler(class_weights[labels], len(data))
for index, label in DataLoader(data, batch_size=50, sampler=sampler):
    assert len(index) == 50
```

Fine (fewer draws than samples; weights of zero; a sampler of one's own):

```python
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
data = TensorDataset(torch.arange(50))
weights = (torch.arange(50) < 5).double()
for sampler in (
    WeightedRandomSampler(torch.ones(50), 10),
    WeightedRandomSampler(weights, 50),
    RandomSampler(data, replacement=True, num_samples=5),
):
    for (index,) in DataLoader(data, batch_size=5, sampler=sampler):
        assert len(index) == 5
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import FewWeights

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("sampler.weights")
def samples_without_a_weight(seen: FewWeights) -> Hits:
    says = f"the sampler has {seen.weights} weights and the dataset {seen.length} samples"
    drawn = f"only the first {seen.weights} are ever drawn"
    if seen.weights > seen.length:
        drawn = f"it draws indices up to {seen.weights - 1}, which the dataset lacks"
    yield seen.hit(f"{says}: {drawn}", weights=seen.weights)
