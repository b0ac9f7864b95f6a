r"""Options of a DataLoader exclude each other.

A sampler decides the order, so that `shuffle` has nothing to say; a batch sampler makes whole batches, so that
neither `batch_size` nor `drop_last` has, and as `sampler=` it hands the dataset lists for indices; an iterable dataset has its own order and takes no sampler at all.
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

Bad (a batch sampler for a sampler):

```python
from torch.utils.data import BatchSampler, DataLoader, Dataset, SequentialSampler


class Names(Dataset):
    def __init__(self):
        self.names = ["a", "b", "c", "d"]

    def __getitem__(self, index):
        return self.names[index]  # seen: `batch_sampler=`

    def __len__(self):
        return 4


data = Names()
pairs = BatchSampler(SequentialSampler(data), batch_size=2, drop_last=False)
batch = next(iter(DataLoader(data, sampler=pairs)))
```

Good:

```python
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

data = TensorDataset(torch.zeros(8, 2))
loader = DataLoader(data, sampler=RandomSampler(data))
other = DataLoader(data, batch_size=2, shuffle=True)
```

Message (torch 1.10 and torchvision, a batch sampler for a sampler; `batch_sampler=`):

```text
Traceback (most recent call last):
  File "/env/lib/python3.7/site-packages/torch/utils/data/_utils/fetch.py", line 49, in <listcomp>
    data = [self.dataset[idx] for idx in possibly_batched_index]
  File "/env/lib/python3.7/site-packages/torchvision/datasets/mnist.py", line 127, in __getitem__
    img, target = self.data[index], int(self.targets[index])
ValueError: only one element tensors can be converted to Python scalars
```

Message (torch 2.13, of a ConcatDataset; `batch_sampler=`):

```text
Traceback (most recent call last):
  File "/env/lib/python3.11/site-packages/torch/utils/data/_utils/fetch.py", line 54, in <listcomp>
    data = [self.dataset[idx] for idx in possibly_batched_index]
  File "/env/lib/python3.11/site-packages/torch/utils/data/dataset.py", line 334, in __getitem__
    if idx < 0:
TypeError: '<' not supported between instances of 'list' and 'int'
```

Message (torch 2.13; `drop_last`):

```text
ValueError: batch_size=None option disables auto-batching and is mutually exclusive with drop_last
```

Message (torch 2.13; `multiprocessing_context`):

```text
ValueError: multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got num_workers=0
```

Message (torch 2.13; `timeout`):

```text
AssertionError: _SingleProcessDataLoaderIter requires timeout == 0
```

Message (torch 2.13; `batch_size`):

```text
ValueError: batch_size attribute should not be set after DataLoader is initialized
```

Message (torch 0.4 to 1.5; `class MySampler(Sampler)`):

```text
ValueError: sampler should be an instance of torch.utils.data.Sampler, but got sampler=[......]
```

Message (torch 1.4 to 2.13; `thread`):

```text
ValueError: multiprocessing_context option should specify a valid start method in ['fork', 'spawn', 'forkserver'], but got multiprocessing_context='thread'
```

Message (transformers 4 and 5; `dataloader_prefetch_factor`):

```text
ValueError: --dataloader_prefetch_factor can only be set when data is loaded in a different process, i.e. when --dataloader_num_workers > 0.
```

Message (torch 0.2 to 0.3; `drop shuffle=True`):

```text
ValueError: sampler is mutually exclusive with shuffle
```

Message (torch 0.2 to 0.3; `whole batches`):

```text
ValueError: batch_sampler is mutually exclusive with batch_size, shuffle, sampler, and drop_last
```

Message (torch 1.0 to 1.10; `Subset`):

```text
ValueError: With replacement=False, num_samples should not be specified, since a random permute will be performed.
```
"""

from keng.explain.advice.datasets import lists_for_indices
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"\bsampler (?:option )?is mutually exclusive with shuffle", odds=0.97)
def order_by_two(failure: Failure) -> Hits:
    yield failure.hit("the sampler decides the order: drop shuffle=True, or the sampler")


@pitfall.explains(r"batch_sampler (?:option )?is mutually exclusive with", odds=0.97)
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
    r"(?P<option>dataloader_prefetch_factor) can only be set when data is loaded in a different process",
    r"(?P<option>persistent_workers) option needs num_workers > 0",
    r"(?P<option>multiprocessing_context) can only be used with multi-process loading",
    r"_SingleProcessDataLoaderIter requires (?P<option>timeout) == 0",
    odds=0.97,
)
def without_workers(failure: Failure) -> Hits:
    option = failure.groups["option"]
    yield failure.hit(
        f"{option} is about workers, and there are none: num_workers above 0, or leave it out"
    )


@pitfall.explains(r"batch_size=None option disables auto-batching", odds=0.96)
def no_batches_to_drop(failure: Failure) -> Hits:
    yield failure.hit("batch_size=None gives single samples: there is no last batch for drop_last")


@pitfall.explains(
    r"\b(?P<option>\w+) attribute should not be set after DataLoader is initialized", odds=0.96
)
def changed_afterwards(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['option']} is fixed once the loader is made: make another loader"
    )


@pitfall.explains(
    r"\b(?P<option>(?:batch_)?sampler) should be an instance of torch\.utils\.data\.Sampler",
    odds=0.96,
)
def no_sampler(failure: Failure) -> Hits:
    option = failure.groups["option"]
    yield failure.hit(
        f"this version takes as {option} only what inherits from Sampler: class MySampler(Sampler), or a newer PyTorch"
    )


@pitfall.explains(
    r"a valid start method in .{2,80}?, but got multiprocessing_context='?(?P<came>\w+)", odds=0.96
)
def no_way_to_start(failure: Failure) -> Hits:
    yield failure.hit(
        f"workers are started by fork, spawn or forkserver, and not by {failure.groups['came']}"
    )


DRAWN = "this version's RandomSampler counts its samples with replacement=True alone: a Subset of drawn indices, or a newer PyTorch"
pitfall.answers({"With replacement=False, num_samples should not be": DRAWN}, odds=0.96)


@pitfall.explains(
    r"list indices must be integers or slices, not list|'<' not supported between instances of 'list' and 'int'|"
    r"only one element tensors can be converted to Python scalars",
    odds=0.96,
)
def batches_for_samples(failure: Failure) -> Hits:
    if lists_for_indices(failure):
        yield failure.hit(
            "the sampler gives lists, and the dataset gets one for an index: what gives whole batches goes to batch_sampler=, without batch_size and shuffle"
        )
