r"""A data set changes its data when it gives a sample.

`self.data[i]` is no copy: a tensor, and an array of NumPy, gives a view of its row. `x -= mean` in `__getitem__` writes into the
data set itself. The next epoch takes the mean away once more: the inputs wander off, a bit more in each epoch, while the
loss still falls, and data that are evaluated once look different. Workers that start anew for each epoch lose the change, which hides it.

Cure: `x = (x - mean) / std`, which makes a new one, or `self.data[i].clone()`, `.copy()` for arrays.

Bad (normalized again in each epoch):

```python
import torch
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Spectra(Dataset):
    def __init__(self, x, y, mean, std):
        self.x, self.y = x, y
        self.mean, self.std = mean, std

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        row = self.x[index]
        row -= self.mean  # here: the data set as well
        row /= self.std
        return row, self.y[index]


x, y = 5 + 2 * torch.randn(64, 4), torch.randn(64)
loader = DataLoader(Spectra(x, y, x.mean(0), x.std(0)), batch_size=64)
first, second = ([batch for batch, _ in loader][0] for _ in range(2))
```

Proof:

```python
assert first.mean().abs() < 0.1 and second.mean() < -1
```

Bad (rows of an array; windows of a series; by a method; a patch that is cut out):

```python
import numpy as np
import torch
from torch.utils.data import Dataset

rng = np.random.default_rng(0)
table = np.array(rng.normal(5, 2, (8, 4)), dtype=np.float32)
before = table.copy()
series = torch.arange(20.0)
images = torch.ones(4, 6, 6)


class Table(Dataset):
    def __len__(self):
        return len(table)

    def __init__(self):
        self.table = table

    def __getitem__(self, i):
        row = self.table[i]
        row *= 2  # here: the array as well
        return torch.from_numpy(row)


class Windows(Dataset):
    def __init__(self, size):
        self.series, self.size = series, size

    def __len__(self):
        return len(self.series) - self.size

    def __getitem__(self, i):
        window = self.series[i : i + self.size]
        window.sub_(window.mean())  # here: as well
        return window


class Cut(Dataset):
    def __init__(self):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        at = torch.randint(0, 4, (1,)).item()
        image[at : at + 2, at : at + 2] = 0  # here: another hole in each epoch
        return image


Table()[0], Windows(5)[3], Cut()[1]
```

Proof:

```python
assert table[0, 0] == 2 * before[0, 0]
assert series[5] == 0 and images.sum() < images.numel()
```

Good:

```python
import torch
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Spectra(Dataset):
    def __init__(self, x, y, mean, std):
        self.x, self.y = x, y
        self.mean, self.std = mean, std

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        row = (self.x[index] - self.mean) / self.std
        return row, self.y[index]


x, y = 5 + 2 * torch.randn(64, 4), torch.randn(64)
loader = DataLoader(Spectra(x, y, x.mean(0), x.std(0)), batch_size=64)
first, second = ([batch for batch, _ in loader][0] for _ in range(2))
```

Fine (copies; another tensor under the name; numbers; what is the same when it is done again; made for each item or epoch):

```python
import numpy as np
import torch
from torch.utils.data import Dataset


class Copies(Dataset):
    def __init__(self):
        self.x, self.y = torch.randn(8, 4), [1, 2, 3, 4, 5, 6, 7, 8]
        self.table, self.marks = np.array([[1.0, 2.0]] * 8), np.array([1.0] * 8)
        self.order = [3, 1, 2, 0]

    def __len__(self):
        return 8

    def __getitem__(self, i):
        copied = self.x[i].clone()
        copied -= copied.mean()
        row = self.table[i].copy()
        row /= row.max()
        some = self.x[self.order]
        some -= 1
        label, mark = self.y[i], self.marks[i]
        label -= 1
        mark /= 2
        other = self.x[i]
        other = other + 1
        other *= 2
        bounded = self.x[i]
        bounded.clamp_(-3, 3)
        bounded[0] = 0
        bounded[bounded.isnan()] = 0
        made = self.make(i)
        made *= 2
        noisy = self.noisy[i]
        noisy += made
        return copied, torch.from_numpy(row), some, label, mark, other, bounded, noisy

    def begin(self, epoch):
        self.noisy = self.x + 0.1 * torch.randn_like(self.x)

    def make(self, i):
        return torch.full((4,), float(i))


data = Copies()
data.begin(0)
data[0], data[0]
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code, Kind

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def written_into_the_data(code: Code) -> Hits:
    for changed, name, taken, kind in code.samples_changed():
        data = code.text_of(taken.value)
        says = f"`{name}` is a view of `{data}`: the data set itself is changed, and again in each epoch"
        copies = ".clone()" if kind is Kind.TENSOR else ".copy()"
        fix = Fix("Change a copy", (code.append(taken, copies),))
        workers = b"num_workers" in code.data
        yield code.hit(changed, says, fix, sure=kind is not Kind.UNKNOWN and not workers)
