r"""Options of a DataLoader exclude each other.

A sampler decides the order, so that `shuffle` has nothing to say; a batch sampler makes whole batches, so that
neither `batch_size` nor `drop_last` has; an iterable dataset has its own order and takes no sampler at all.
`prefetch_factor`, `persistent_workers` and `timeout` are about workers and want `num_workers` above zero.

Cure: keep one of the two: `shuffle=sampler is None` for a sampler that is there on several ranks only; shuffle an
iterable dataset in its `__iter__`.

Bad (who decides the order):

```python
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

data = TensorDataset(torch.zeros(8, 2))
loader = DataLoader(data, sampler=RandomSampler(data), shuffle=True)  # seen: `drop shuffle`
```

Bad (workers that are not there):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.zeros(8, 2)), prefetch_factor=2)  # seen: `num_workers`
```

Bad (workers to be kept):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.zeros(8, 2)), persistent_workers=True)  # seen: no workers
```

Bad (a stream):

```python
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(8))


loader = DataLoader(Stream(), shuffle=True)  # seen: `its own order`
```

Bad (whole batches):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.zeros(8, 2))
loader = DataLoader(data, batch_sampler=[[0, 1], [2, 3]], batch_size=2)  # seen: `whole batches`
```

Good:

```python
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

data = TensorDataset(torch.zeros(8, 2))
loader = DataLoader(data, sampler=RandomSampler(data))
other = DataLoader(data, batch_size=2, shuffle=True)
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"\bsampler option is mutually exclusive with shuffle", odds=0.97)
def order_by_two(failure: Failure) -> Hits:
    yield failure.hit("the sampler decides the order: drop shuffle=True, or the sampler")


@pitfall.explains(r"batch_sampler option is mutually exclusive with", odds=0.97)
def batches_by_two(failure: Failure) -> Hits:
    yield failure.hit("a batch sampler makes whole batches: drop batch_size, shuffle and drop_last")


@pitfall.explains(
    r"DataLoader with IterableDataset: expected unspecified (?P<option>\w+) option", odds=0.97
)
def order_of_a_stream(failure: Failure) -> Hits:
    option = failure.groups["option"]
    yield failure.hit(f"an iterable dataset has its own order: drop {option}, shuffle in __iter__")


@pitfall.explains(
    r"(?P<option>prefetch_factor) option could only be specified in multiprocessing",
    r"(?P<option>persistent_workers) option needs num_workers > 0",
    odds=0.97,
)
def without_workers(failure: Failure) -> Hits:
    option = failure.groups["option"]
    yield failure.hit(f"{option} is about workers, and there are none: num_workers above 0")
