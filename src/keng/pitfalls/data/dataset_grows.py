r"""A dataset keeps everything that it has ever read.

What `__getitem__` puts into a list of the dataset stays there. In the main process memory grows in each epoch until the
kernel ends the program; with workers each has a copy that grows (and starts anew with the epoch, unless
`persistent_workers` keeps it). A slice is no smaller than the whole: `x[:8]` keeps the memory of `x`.

Cure: a cache with keys, which holds each sample once, or with a limit: `functools.lru_cache(maxsize=...)`.

Bad:

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self):
        self.read = []

    def __len__(self):
        return 16

    def __getitem__(self, index):
        x = torch.zeros(32 * 1024)
        self.read.append(x)  # seen: 16 more in each epoch
        return x[:8]


files = Files()
for epoch in range(6):
    for x in DataLoader(files, batch_size=4):
        pass
```

Proof:

```python
assert len(files.read) > len(files)
```

Good:

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self):
        self.read = {}

    def __len__(self):
        return 16

    def __getitem__(self, index):
        if index not in self.read:
            self.read[index] = torch.zeros(32 * 1024)
        return self.read[index][:8]


files = Files()
for epoch in range(6):
    for x in DataLoader(files, batch_size=4):
        pass
assert len(files.read) == len(files)
```

Fine (a window; small notes; more parts than samples, but no more of them):

```python
from collections import deque

import torch
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self):
        self.parts = [torch.zeros(32 * 1024) for _ in range(100)]
        self.newest, self.asked = deque(maxlen=32), []

    def __len__(self):
        return 16

    def __getitem__(self, index):
        self.newest.append(torch.zeros(32 * 1024))
        self.asked.append(index)
        return self.parts[index][:8] + self.parts[-1 - index][:8]


files = Files()
for epoch in range(6):
    for x in DataLoader(files, batch_size=4):
        pass
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import GrownDataset

pitfall = Pitfall(__name__, __doc__, severity="warning")


MUCH = 4_000_000
"""Bytes. Notes of small things are kept on purpose, and are not felt."""


@pitfall.watches("dataset.grows")
def more_than_there_is(seen: GrownDataset) -> Hits:
    if seen.bytes >= MUCH:
        says = f"`self.{seen.attribute}` grows in each epoch: it holds {seen.items} items"
        size = f"{seen.bytes / 1e6:.0f} MB"
        yield seen.hit(f"{says} of {seen.length} samples, {size}", items=seen.items)
