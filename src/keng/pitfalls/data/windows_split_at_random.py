r"""Windows that overlap are split at random.

A window that begins at `i` has all points but one in common with that at `i + 1`. `random_split`, and `train_test_split`
with its shuffling, put neighbours on both sides: what is to be foretold in the validation stands in windows of the
training. The model that remembers best wins, and the error says nothing about days to come.

Cure: cut the series first, or take windows in order: `Subset(data, range(n))` and `Subset(data, range(n + window,
len(data)))`, with a window's length between them. `TimeSeriesSplit(gap=window)` does so several times; several series are
split series by series.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import Dataset, random_split


class Windows(Dataset):
    def __init__(self, series, window):
        self.series, self.window = series, window

    def __len__(self):
        return len(self.series) - self.window - 4

    def __getitem__(self, i):
        return self.series[i : i + self.window], self.series[i + self.window + 4]


torch.manual_seed(0)
first, later = nn.functional.avg_pool1d(torch.randn(2, 423), 24, 1)
data = Windows(first, 16)
train_set, val_set = random_split(data, [300, 80])  # here: neighbours on both sides
```

Proof:

```python
def error(known, unknown):
    (x, y), (z, wanted) = ([torch.stack(part) for part in zip(*data)] for data in (known, unknown))
    return (y[torch.cdist(z, x).argmin(1)] - wanted).abs().mean()


assert error(train_set, val_set) < 0.7 * error(train_set, Windows(later, 16))
```

Bad (lists of windows):

```python
import numpy as np
import torch
from sklearn.model_selection import train_test_split


def cut(series, window):
    xs, ys = [], []
    for i in range(len(series) - window):
        xs.append(series[i : i + window])
        ys.append(series[i + window])
    return np.array(xs), np.array(ys)


x, y = cut(torch.arange(100.0).numpy(), 12)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)  # here: drawn
```

Proof:

```python
assert all(np.abs(x_train[:, 0] - each[0]).min() < 12 for each in x_test)
```

Bad (by a permutation):

```python
import torch
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

series = torch.arange(100.0)
windows = torch.stack([series[i : i + 12] for i in range(88)])
data = TensorDataset(windows, series[12:])
order = torch.randperm(len(data)).tolist()
train_loader = DataLoader(data, batch_size=8, sampler=SubsetRandomSampler(order[:70]))
val_loader = DataLoader(data, batch_size=8, sampler=SubsetRandomSampler(order[70:]))  # here: drawn
```

Proof:

```python
assert all(min(abs(i - j) for j in order[:70]) < 12 for i in order[70:])
```

Good:

```python
import torch
from torch.utils.data import Dataset, Subset


class Windows(Dataset):
    def __init__(self, series, window):
        self.series, self.window = series, window

    def __len__(self):
        return len(self.series) - self.window

    def __getitem__(self, i):
        return self.series[i : i + self.window], self.series[i + self.window]


data = Windows(torch.randn(400).cumsum(0), 16)
train_set, val_set = Subset(data, range(300)), Subset(data, range(300 + 16, len(data)))
```

Fine (one behind the other; in order; single points; by series; parts without a test):

```python
import torch
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset, Subset, random_split


class Blocks(Dataset):
    def __init__(self, series, window):
        self.series, self.window = series, window

    def __len__(self):
        return len(self.series) // self.window - 1

    def __getitem__(self, i):
        start = i * self.window
        return self.series[start : start + self.window]


class Points(Dataset):
    def __init__(self, series):
        self.series = series

    def __len__(self):
        return len(self.series) - 1

    def __getitem__(self, i):
        return self.series[i : i + 1]


series = torch.randn(120)
train_set, val_set = random_split(Blocks(series, 12), [7, 2])
train_points, test_points = random_split(Points(series), [100, 19])
blocks = [series[i : i + 12] for i in range(0, 108, 12)]
train_blocks, test_blocks = train_test_split(blocks)
windows = [series[i : i + 12] for i in range(108)]
train_part, test_part = train_test_split(windows, shuffle=False)
labelled, unlabelled = random_split(windows, [54, 54])
several = [torch.randn(40) for _ in range(10)]
train_series, test_series = train_test_split(several)
train_windows = [s[i : i + 12] for s in train_series for i in range(28)]
order = torch.randperm(80).tolist()
shuffled, val_later = Subset(windows, order), Subset(windows, range(92, 108))
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import sklearn")


@pitfall.finds
def neighbours_on_both_sides(code: Code) -> Hits:
    for place, part, cut in code.windows_split_at_random():
        says = f"`{cut}` shares its points with its neighbours, and `{part}` is drawn at random"
        yield code.hit(place, says)
