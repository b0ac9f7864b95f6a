r"""A data set reads its whole file again for each item.

`__getitem__` runs once for each sample, in each epoch. A table or an array that it reads there from the same path is read,
parsed and thrown away as many times as there are samples, for one row each: an epoch that would take seconds takes hours, the
device waits, and more workers only read the same file at once.

Cure: read it once in `__init__`; what does not fit into memory is opened there with `np.load(path, mmap_mode="r")`.

Bad:

```python
import numpy as np
import torch
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, path, length):
        self.path, self.length = path, length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        table = np.load(self.path)  # here: the whole of `self.path`
        return torch.from_numpy(table[index])
```

Proof:

```python
import tempfile
from unittest import mock

with tempfile.NamedTemporaryFile(suffix=".npy") as file:
    np.save(file.name, np.ones((4, 2)))
    with mock.patch("numpy.load", wraps=np.load) as reading:
        rows = [Rows(file.name, 4)[n] for n in range(4)]
assert reading.call_count == 4
```

Bad (through an open file):

```python
import json

import torch
from torch.utils.data import Dataset


class Answers(Dataset):
    def __init__(self, path, length):
        self.path = path
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        with open(self.path) as file:
            told = json.load(file)  # here: the whole of `self.path`
        return torch.tensor(told[index])
```

Proof:

```python
import tempfile
from unittest import mock

with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    json.dump([1, 2], file)
    file.flush()
    with mock.patch("json.load", wraps=json.load) as reading:
        told = [Answers(file.name, 2)[n] for n in range(2)]
assert reading.call_count == 2
```

Good:

```python
import numpy as np
import torch
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, path):
        self.table = np.load(path)

    def __len__(self):
        return len(self.table)

    def __getitem__(self, index):
        return torch.from_numpy(self.table[index])
```

Fine (a file for each item; a part of it alone; once for all; a path that changes):

```python
import json

import numpy as np
import torch
from torch.utils.data import Dataset


class Files(Dataset):
    def __init__(self, paths, folder):
        self.paths, self.folder, self.table, self.part = paths, folder, None, "0.npy"

    def __len__(self):
        return len(self.paths)

    def open_part(self, number):
        self.part = f"{number}.npy"

    def __getitem__(self, index):
        if self.table is None:
            self.table = np.load(self.folder)
        mapped = np.load(self.folder, mmap_mode="r")
        part = np.load(self.part)
        with open(f"{self.folder}/{index}.json") as file:
            told = json.load(file)
        path = self.paths[index]
        return np.load(self.paths[index]), torch.load(path), mapped[index], part, told
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def whole_file_for_one(code: Code) -> Hits:
    for call, file in code.whole_files_for_items():
        text = code.text_of(file)
        yield code.hit(call, f"the whole of `{text}` is read again for each item")
