r"""A loader starts more workers than there are processors.

Each worker is a process of its own. More of them than processors, or than the share of them that a container or a job was
given, take turns, and each holds its own copy of what the dataset loads.

Cure: `num_workers` of at most `len(os.sched_getaffinity(0))`, divided by the processes of the machine; `keng tune-loader` tries
what is fastest.

Bad:

```python
import os
import warnings

import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.ones(4, 2))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    loader = DataLoader(data, num_workers=8 * os.cpu_count())
```

Proof:

```python
assert "worker processes in total" in str(said[0].message)
```

Good:

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(4, 2)), num_workers=1)
```

Message (torch 1.7 to 2.13; `2 processors`):

```text
UserWarning: This DataLoader will create 8 worker processes in total. Our suggested max number of worker in current system is 2, which is smaller than what this DataLoader is going to create. Please be aware that excessive worker creation might get DataLoader running slow or even freeze, lower the worker number to avoid potential slowness/freeze if necessary.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.explains(
    r"This DataLoader will create (?P<n>\d+) worker processes in total\. Our suggested max number of worker in current system "
    r"is (?P<most>\d+)",
    odds=0.97,
)
def more_than_processors(failure: Failure) -> Hits:
    n, most = failure.groups["n"], failure.groups["most"]
    yield failure.hit(f"{n} workers share {most} processors: num_workers={most} at most")
