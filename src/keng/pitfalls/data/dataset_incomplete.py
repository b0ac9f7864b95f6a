r"""A dataset lacks a method that the loader calls, or is used as what it is not.

A `Dataset` needs `__getitem__`, and `__len__` where anything is shuffled; both are methods of the class, at the right
indentation and with two underscores on each side. An `IterableDataset` has neither an index nor a length. A
DataLoader is gone through; it has no index, and `next` wants an iterator of it. A sampler that derives from one of torch's has its
`__len__` from there, which reads what that one's `__init__` has set.

Cure: write the missing method; `next(iter(loader))` for one batch, `loader.dataset[i]` for one sample; count the batches of
a stream, or give it a `__len__`.

Bad (a name that is not quite right):

```python
from torch.utils.data import Dataset


class Numbers(Dataset):
    def __getitem(self, index):
        return index

    def __len__(self):
        return 4


first = Numbers()[0]  # seen: `__getitem__`
```

Bad (no length):

```python
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __getitem__(self, index):
        return index


loader = DataLoader(Numbers(), shuffle=True)  # seen: `__len__`
```

Bad (a loader with an index):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(4, 2)))
first = loader[0]  # seen: `next(iter(loader))`
```

Bad (a length that is no whole number):

```python
from torch.utils.data import DataLoader, Dataset


class Halves(Dataset):
    def __getitem__(self, index):
        return index

    def __len__(self):
        return 8 / 2


first = next(iter(DataLoader(Halves())))  # seen: `__len__` returns a float
```

Bad (no self):

```python
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __getitem__(index):
        return index

    def __len__(self):
        return 4


first = next(iter(DataLoader(Numbers())))  # seen: `def __getitem__(self, index)`
```

Bad (the class):

```python
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __getitem__(self, index):
        return index

    def __len__(self):
        return 4


loader = DataLoader(Numbers, shuffle=True)  # seen: parentheses
```

Bad (a sample that is None):

```python
from torch.utils.data import DataLoader, Dataset


class Sometimes(Dataset):
    def __getitem__(self, index):
        if index != 1:
            return index, 2 * index

    def __len__(self):
        return 4


batch = next(iter(DataLoader(Sometimes(), batch_size=4)))  # seen: a sample is None
```

Bad (a sampler of whole batches whose base is not made; `drop_last`):

```python
import torch
from torch.utils.data import BatchSampler, DataLoader, SequentialSampler, TensorDataset


class PairsSampler(BatchSampler):
    def __init__(self, sampler):
        self.sampler = sampler

    def __iter__(self):
        return iter([[n, n + 1] for n in range(0, len(self.sampler), 2)])


data = TensorDataset(torch.ones(8, 2))
loader = DataLoader(data, batch_sampler=PairsSampler(SequentialSampler(data)))
steps = len(loader)  # seen: `super().__init__(...)`
```

Good:

```python
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __getitem__(self, index):
        return index

    def __len__(self):
        return 4


loader = DataLoader(Numbers(), shuffle=True)
first = next(iter(loader))
```

Message (torch 1.0 to 2.13; `.indices says which`):

```text
AttributeError: 'Subset' object has no attribute 'targets'
```

Message (torchvision 0.3 and later; `targets`):

```text
AttributeError: 'CIFAR10' object has no attribute 'train_labels'
```

Message (torch 2.13; `ChainDataset`):

```text
AssertionError: ConcatDataset does not support IterableDataset
```

Message (torch 2.13; `ConcatDataset`):

```text
AssertionError: ChainDataset only supports IterableDataset
```

Message (an older torch, whose base says nothing; `__getitem__`):

```text
  File "/env/lib/python3.8/site-packages/torch/utils/data/dataset.py", line 33, in __getitem__
    raise NotImplementedError
NotImplementedError
```

Message (torch 2.1 to 2.13, of an own Subset; `__getitems__`):

```text
NotImplementedError: Augmented overrides __getitem__ but not __getitems__. When subclassing Subset and overriding __getitem__, you must also override __getitems__ to ensure DataLoader works correctly.
```

Message (accelerate or Lightning, which ask for it; `GroupBatchSampler`):

```text
AttributeError: 'GroupBatchSampler' object has no attribute 'batch_size'
```

Message (torch 1.0 to 2.13, a dataset without an index; `PairsDataset`):

```text
TypeError: 'PairsDataset' object is not subscriptable
```

Message (torch 2.13; `.tensors`):

```text
AttributeError: 'TensorDataset' object has no attribute 'targets'
```

Message (torch 2.13; `has, in .dataset`):

```text
AttributeError: 'Subset' object has no attribute 'classes'
```

Message (torch 2.13; `.to(device)`):

```text
AttributeError: 'DataLoader' object has no attribute 'to'
```

Message (torch 2.13; `loader.dataset.targets`):

```text
AttributeError: 'DataLoader' object has no attribute 'targets'
```

Message (torch 2.13; `a stream is gone through`):

```text
TypeError: 'TextIterableDataset' object is not subscriptable
```

Message (torch 2.13; `returned nothing`):

```text
  File "/env/lib/python3.11/site-packages/torch/utils/data/sampler.py", line 160, in num_samples
    return len(self.data_source)
TypeError: object of type 'NoneType' has no len()
```

Message (torch 2.13; `list(...) of it`):

```text
  File "/env/lib/python3.11/site-packages/torch/utils/data/sampler.py", line 160, in num_samples
    return len(self.data_source)
TypeError: object of type 'generator' has no len()
```

Message (torch 2.13; `next(iter(loader))`):

```text
AttributeError: 'DataLoader' object has no attribute 'shape'
```

Message (torch 1.2 to 2.13; `count steps`):

```text
TypeError: object of type 'IterableDataset' has no len()
```
"""

from keng.explain.advice.datasets import (
    WITHOUT_INDEX,
    kept_in,
    of_a_loader,
    of_no_index,
    of_no_length,
)
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"object of type '(?P<kind>\w+)' has no len\(\)", odds=0.85)
def no_length(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    asked = "torch/utils/data" in failure.raised_in
    if failure.frames and failure.frames[-1].path.endswith("collate.py"):
        what = "None" if kind == "NoneType" else f"of kind {kind}"
        yield failure.hit(f"a sample is {what}: __getitem__ returns as many parts for each index")
    elif asked and kind == "type":
        yield failure.hit("a class is given for a dataset, and no object of it: parentheses")
    elif asked or kind in ("IterableDataset", "Dataset"):
        yield failure.hit(of_no_length(kind))


@pitfall.explains(
    r"'(?P<kind>float|NoneType|str)' object cannot be interpreted as an integer",
    r"__getitem__\(\) takes (?P<takes>[01]) positional arguments? but 2 were given",
    odds=0.93,
)
def method_of_another_form(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    if last is None or "/torch/utils/data/" not in last.posix:
        return
    if failure.groups.get("takes"):
        yield failure.hit("`def __getitem__(self, index)`: one of the two is missing")
    elif "len(" in last.text:
        kind = failure.groups["kind"]
        yield failure.hit(f"`__len__` returns a {kind} where a whole number is wanted: int(...)")


@pitfall.explains(
    r"'DataLoader' object (?:is not (?:subscriptable|an iterator)|does not support (?:indexing|item assignment)|has no attribute '(?P<name>next|__next__|shape|size|to|cuda|data|targets)')",
    odds=0.95,
)
def loader_with_an_index(failure: Failure) -> Hits:
    yield failure.hit(f"a DataLoader is gone through: {of_a_loader(failure.groups['name'] or '')}")


@pitfall.explains(
    r"'(?P<kind>(?!Batch|Map|Prefetch|Take|Shuffle|Zip|Repeat|Tensor|Parallel|Flat|Cache|Skip|Window|Filter|Range|Csv|TF|_)\w*Dataset)' object (?:is not subscriptable|does not support indexing)",
    r"^(?P<base>NotImplementedError)",
)
def without_an_index(failure: Failure) -> Hits:
    if says := of_no_index(failure):
        yield failure.hit(says)


@pitfall.explains(
    r"'(?P<kind>Subset|(?:Concat|Tensor)Dataset)' object has no attribute '(?P<name>\w+)'",
    r"object has no attribute '(?P<old>(?:train|test)_(?:labels|data))'",
    odds=0.9,
)
def kept_inside(failure: Failure) -> Hits:
    groups, old = failure.groups, failure.groups.get("old", "")
    if old:
        new = "targets" if old.endswith("labels") else "data"
        yield failure.hit(f"datasets of torchvision call it `{new}` since 0.3, not {old}")
    else:
        kind, name = groups["kind"], groups["name"]
        yield failure.hit(f"a {kind} has no `{name}`: {kept_in(kind, name)}")


@pitfall.explains(
    r"'(?P<kind>(?!(?:Random|Sequential|Batch|Distributed)Sampler')\w{1,60}Sampler)' object has no attribute "
    r"'(?P<name>drop_last|data_source|num_replicas|total_size)'",
    r"'(?P<kind>\w{1,60}BatchSampler)' object has no attribute '(?P<name>batch_size|sampler)'",
    odds=0.93,
)
def base_not_made(failure: Failure) -> Hits:
    yield failure.hit(
        "`{kind}` never sets `{name}`, which the samplers of torch set in __init__ and read in __len__: super().__init__(...), or a "
        "__len__ of its own".format(**failure.groups)
    )


SAID = {
    "Subclasses of Dataset should implement __getitem__": WITHOUT_INDEX,
    "ConcatDataset does not support IterableDataset": "an iterable dataset has no index: join it with ChainDataset",
    "ChainDataset only supports IterableDataset": "ChainDataset is for iterable datasets: ConcatDataset joins those with an index",
    "overrides __getitem__ but not __getitems__": "the loader asks a Subset by __getitems__, which goes past your __getitem__: write both, or no subclass of Subset",
}
pitfall.answers(SAID, odds=0.97)
