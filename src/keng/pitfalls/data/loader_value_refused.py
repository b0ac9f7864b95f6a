r"""A loader or sampler is given a number or flag that it cannot use.

`batch_size` and `num_samples` are whole numbers of Python's above zero: a NumPy number, a tensor, a text from the command line and the result of `/` print as one and are none,
and `total // processes` is zero for a small total. `drop_last` and `replacement` are True or False. `num_workers` and `timeout` are zero or more, `prefetch_factor` is one
or more. `WeightedRandomSampler` wants one weight for each sample, in one dimension, and `random_split` fractions between 0 and 1.

Cure: `int(x)`, `//` and `max(1, ...)`; arguments of samplers by name, so that none slips into another's place; `class_weights[labels]` for one weight a sample.

Bad (fewer than one):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

gpus = 4
data = TensorDataset(torch.ones(8, 2))
loader = DataLoader(data, batch_size=2 // gpus)  # seen: `batch_size` is 0
```

Bad (no number of Python's):

```python
import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

size = np.int64(4)
loader = DataLoader(TensorDataset(torch.ones(8, 2)), batch_size=size)  # seen: `int(...)`
```

Bad (one argument slipped):

```python
from torch.utils.data import BatchSampler, SequentialSampler

batches = BatchSampler(SequentialSampler(range(8)), 4, 2)  # seen: `drop_last` is 2
```

Bad (weights of classes for each sample):

```python
import torch
from torch.utils.data import WeightedRandomSampler

weights = torch.ones(8, 2)
sampler = WeightedRandomSampler(weights, 8)  # seen: one weight
```

Bad (workers that are to wait less than no time):

```python
import torch
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.ones(8, 2)), num_workers=-1)  # seen: `num_workers`
```

Bad (percents):

```python
from torch.utils.data import random_split

parts = random_split(range(8), [1.2, -0.2])  # seen: between 0 and 1
```

Good:

```python
import numpy as np
import torch
from torch.utils.data import (
    BatchSampler,
    DataLoader,
    SequentialSampler,
    TensorDataset,
    WeightedRandomSampler,
    random_split,
)

data = TensorDataset(torch.ones(8, 2))
loader = DataLoader(data, batch_size=int(np.int64(4)), num_workers=0)
batches = BatchSampler(SequentialSampler(range(8)), batch_size=4, drop_last=True)
sampler = WeightedRandomSampler(torch.ones(8), 8)
parts = random_split(range(8), [0.5, 0.5])
```

Message (torch 1.7 to 2.13; `one batch or more`):

```text
AssertionError: prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter
```

Message (torch 1.2 to 2.13; `fork`):

```text
TypeError: multiprocessing_context option should be a valid context object or a string specifying the start method, but got multiprocessing_context=3
```

Message (torch 1.0 to 2.13; `before the first`):

```text
ValueError: absolute value of index should not exceed dataset length
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

MEANS = {
    "num_workers": "num_workers is how many processes load, 0 for none beside the program",
    "timeout": "timeout is how many seconds a batch is waited for, 0 for ever",
    "prefetch_factor": "prefetch_factor is how many batches a worker holds ready, one batch or more",
}


@pitfall.explains(
    r"(?P<name>num_workers|timeout|prefetch_factor) option should be non-negative",
    r"(?P<name>num_workers|prefetch_factor) must be greater than 0 for MultiProcessing",
    odds=0.96,
)
def below_zero(failure: Failure) -> Hits:
    yield failure.hit(MEANS[failure.groups["name"]])


@pitfall.explains(
    r"(?P<name>batch_size|num_samples) should be a positive integ\w{1,5} value, but got (?!num_samples=(?:0(?![.\d])|$))\w+=(?P<came>\S{1,40})",
    odds=0.96,
)
def no_whole_number(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    if came.isdigit() and int(came):
        why = (
            "prints as a number and is none of Python's, but a text, a tensor or NumPy's: int(...)"
        )
    else:
        why = f"is {came}, and counts samples: a whole number above 0, as by // and max(1, ...)"
    yield failure.hit(f"`{name}` {why}")


@pitfall.explains(
    r"(?P<name>drop_last|replacement) should be a boolean value, but got \w+=(?P<came>\S{1,40})",
    odds=0.96,
)
def no_flag(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    yield failure.hit(
        f"`{name}` is {came}, and wants True or False: an argument has slipped into its place, or bool(...)"
    )


@pitfall.explains(
    r"weights should be a 1d sequence but given weights have shape (?P<shape>\([\d, ]{0,60}\))",
    odds=0.96,
)
def a_table_of_weights(failure: Failure) -> Hits:
    yield failure.hit(
        f"`weights` are {failure.groups['shape']} in shape, and one weight for each sample is wanted: class_weights[labels]"
    )


@pitfall.explains(r"Fraction at index (?P<nth>\d+) is not between 0 and 1", odds=0.96)
def no_fraction(failure: Failure) -> Hits:
    yield failure.hit(
        f"part {failure.groups['nth']} of random_split is no fraction between 0 and 1: [0.8, 0.2], or whole numbers of samples"
    )


pitfall.answers(
    {
        "multiprocessing_context option should be a valid context": "the context is 'fork', 'spawn' or 'forkserver', or what torch.multiprocessing.get_context gives",
        "absolute value of index should not exceed dataset length": "a negative index goes back before the first sample of what was joined: index % len(dataset)",
    },
    odds=0.96,
)
