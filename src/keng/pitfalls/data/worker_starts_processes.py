r"""A DataLoader's worker starts processes of its own.

Workers are daemonic, so that they end with the program, and Python lets a daemonic process have no children. A dataset that holds
a DataLoader with workers, or a pool, is used in a worker and breaks there, while it worked with `num_workers=0`. A
training function inside a `multiprocessing.Pool`, whose processes are daemonic too, cannot use workers either.

Cure: `num_workers=0` for the inner one; threads, or `concurrent.futures.ProcessPoolExecutor` in place of a pool, whose processes
may have children.

Bad:

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Nested(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return next(iter(DataLoader(torch.arange(4), num_workers=1)))  # seen: `daemonic`


if __name__ == "__main__":
    for batch in DataLoader(Nested(), num_workers=1):
        pass
```

Good:

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Nested(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return next(iter(DataLoader(torch.arange(4))))


if __name__ == "__main__":
    for batch in DataLoader(Nested(), num_workers=1):
        pass
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"daemonic processes are not allowed to have children", odds=0.9)
def child_of_a_daemon(failure: Failure) -> Hits:
    yield failure.hit(
        "a worker, or a process of a pool, is daemonic and may start none: num_workers=0 inside it, or "
        "concurrent.futures.ProcessPoolExecutor outside"
    )
