r"""Both parts of a split read one data set, and a change to one changes the other.

`random_split` and `Subset` copy nothing: each part holds a list of indices and the data set itself. What is set on
`val_set.dataset`, as a transform without augmentation, is set for the training as well.

Cure: two data sets over the same files, each with its own transform, and the same indices for both:
`Subset(plain, val_set.indices)`.

Bad:

```python
import torch
from torch.utils.data import Dataset, random_split


class Rows(Dataset):
    def __init__(self, transform=None):
        self.x, self.transform = torch.arange(10.0), transform

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.transform(self.x[index]) if self.transform else self.x[index]


train_set, val_set = random_split(Rows(lambda x: x + torch.rand(())), [8, 2])
val_set.dataset.transform = None  # here: `train_set` is augmented no more
```

Proof:

```python
assert train_set[0] == train_set[0]
```

Bad (two subsets):

```python
import torch
from torch.utils.data import Subset, TensorDataset


class Rows(TensorDataset):
    augment = False


rows = Rows(torch.randn(10, 3))
train_set = Subset(rows, range(8))
val_set = Subset(rows, range(8, 10))
train_set.dataset.augment = True  # here: `val_set` reads the same
```

Proof:

```python
assert val_set.dataset.augment
```

Good:

```python
import torch
from torch.utils.data import Dataset, Subset, random_split


class Rows(Dataset):
    def __init__(self, transform=None):
        self.x, self.transform = torch.arange(10.0), transform

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.transform(self.x[index]) if self.transform else self.x[index]


train_set, val_set = random_split(Rows(lambda x: x + torch.rand(())), [8, 2])
val_set = Subset(Rows(), val_set.indices)
```

Fine (a data set of its own; one part alone):

```python
import copy

import torch
from torch.utils.data import Subset, TensorDataset, random_split

rows = TensorDataset(torch.randn(10, 3))
train_set, val_set = random_split(rows, [8, 2])
val_set.dataset = copy.copy(rows)
val_set.dataset.transform = None
few = Subset(TensorDataset(torch.randn(4, 3)), [0, 1])
few.dataset.transform = None
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def set_for_both(code: Code) -> Hits:
    for target, part, other in code.shared_by_splits():
        says = f"`{part}` and `{other}` read one data set: `{target.attr}` is set for both"
        yield code.hit(target, says)
