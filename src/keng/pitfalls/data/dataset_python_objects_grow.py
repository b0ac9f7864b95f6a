r"""A dataset of many small Python objects is copied into every worker, page by page.

A forked worker shares the memory of the dataset until somebody writes to it. Python writes when it reads: each look
at an object counts its references in the object itself, and the page that it lies in is copied. A list of a million
names or dicts is so copied into each worker in the course of an epoch; memory climbs like a leak, until a worker is
killed or none can be forked.

Cure: keep what is large in a NumPy array, a tensor or an Arrow table, which are one object each: numbers as an array,
texts as one array of bytes with offsets (`np.array(names)` where they are of like length).

Bad:

```python
import gc
import re
from pathlib import Path

from torch.utils.data import DataLoader, Dataset


def private():
    return int(re.search(r"Private_Dirty:\s+(\d+)", Path("/proc/self/smaps_rollup").read_text())[1])


class Names(Dataset):
    def __init__(self):
        self.names = [f"image-{number:08}.jpg" for number in range(200_000)]  # here: `self.names`

    def __len__(self):
        return 1

    def __getitem__(self, index):
        gc.disable()
        before = private()
        letters = sum(map(len, self.names))
        return private() - before


kilobytes = int(next(iter(DataLoader(Names(), num_workers=1))))
```

Proof:

```python
assert kilobytes > 8000
```

Bad (as many as the one call says):

```python
import gc
import re
from pathlib import Path

from torch.utils.data import DataLoader, Dataset


def private():
    return int(re.search(r"Private_Dirty:\s+(\d+)", Path("/proc/self/smaps_rollup").read_text())[1])


class Names(Dataset):
    def __init__(self, count):
        self.names = [f"image-{number:08}.jpg" for number in range(count)]  # here: `self.names`

    def __len__(self):
        return 1

    def __getitem__(self, index):
        gc.disable()
        before = private()
        letters = sum(map(len, self.names))
        return private() - before


kilobytes = int(next(iter(DataLoader(Names(200_000), num_workers=1))))
```

Proof:

```python
assert kilobytes > 8000
```

Good:

```python
import re
from pathlib import Path

import numpy as np
from torch.utils.data import DataLoader, Dataset


def private():
    return int(re.search(r"Private_Dirty:\s+(\d+)", Path("/proc/self/smaps_rollup").read_text())[1])


class Names(Dataset):
    def __init__(self):
        self.names = np.array([f"image-{number:08}.jpg" for number in range(200_000)])

    def __len__(self):
        return 1

    def __getitem__(self, index):
        before = private()
        letters = sum(len(name) for name in self.names)
        return private() - before


kilobytes = int(next(iter(DataLoader(Names(), num_workers=1))))
assert kilobytes < 8000
```

Fine (few of them; no workers):

```python
from torch.utils.data import DataLoader, Dataset


class Names(Dataset):
    def __init__(self, size):
        self.names = [f"image-{number:08}.jpg" for number in range(100)]
        self.others = [str(number) for number in range(size)]

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return len(self.names[index])


class Many(Dataset):
    def __init__(self):
        self.names = [str(number) for number in range(200_000)]

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return len(self.names[index])


batches = list(DataLoader(Names(4), num_workers=1))
batches = list(DataLoader(Many(), num_workers=0))
```

Message (torch 1.0, Python 3.6, when a worker is to be forked):

```text
  File "/home/u/miniconda3/lib/python3.6/site-packages/torch/utils/data/dataloader.py", line 438, in __init__
    w.start()
  File "/home/u/miniconda3/lib/python3.6/multiprocessing/popen_fork.py", line 19, in __init__
    self._launch(process_obj)
OSError: [Errno 12] Cannot allocate memory
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LoaderBegun
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")

MANY = 100_000


@pitfall.finds
def many_small_objects(code: Code) -> Hits:
    for owner in code.datasets():
        for name, made in code.lists_of_objects(owner, MANY):
            if code.forked_loaders(owner):
                says = f"each worker comes to hold its own copy of `self.{name}`: use one array"
                yield code.hit(made, says)


@pitfall.explains(r"\[Errno 12\] Cannot allocate memory", odds=0.8)
def no_memory_for_a_worker(failure: Failure) -> Hits:
    says = "no memory is left for one more worker, which counts for as much as this process has"
    cure = "fewer, or started before the rest is loaded; each comes to copy lists and dicts of the dataset, and no arrays"
    forking = failure.passed_through("torch/utils/data/dataloader.py", "popen_fork.py")
    yield failure.hit(f"{says}: {cure}", sure=forking)


@pitfall.watches("loader.begun")
def many_objects_to_copy(loader: LoaderBegun) -> Hits:
    for kept in loader.objects if loader.workers else ():
        says = f"`self.{kept.attribute}` is a {kept.kind} of {kept.items:,} Python objects"
        how = "page by page as it reads" if loader.forks else "at its start"
        yield loader.hit(
            f"{says}: each of {loader.workers} workers copies them, {how}",
            where=kept.made,
            items=kept.items,
        )
