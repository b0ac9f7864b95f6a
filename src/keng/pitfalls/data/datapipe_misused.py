r"""A pipe of `torch.utils.data.datapipes` is used as it cannot be.

An IterDataPipe is gone through by one iterator at a time: a second one, as a second loop or `zip(pipe, pipe)` makes it, ends the first. `fork` and `demux` hold what one branch has read and another
has not in a buffer of 1,000 samples, which overflows where the branches are read one after the other. Pipes have no length behind a `filter`, and what is combined with them must be
a pipe too. torchdata 0.10 and later has no pipes any more.

Cure: `a, b = pipe.fork(2)` for two readers at once, and both read in step, `zip(a, b)`; `buffer_size=` as large as the lag; `IterableWrapper(data)` around a plain list;
a function with a name in place of a lambda; a Dataset for what is written anew.

Bad (two readers):

```python
from torch.utils.data.datapipes.iter import IterableWrapper

pipe = IterableWrapper(range(10))
first = iter(pipe)
a = next(first)
second = iter(pipe)
b = next(second)
c = next(first)  # seen: `fork(2)`
```

Bad (one branch after the other):

```python
from torch.utils.data.datapipes.iter import IterableWrapper

left, right = IterableWrapper(range(5000)).fork(2)
total = sum(left) + sum(right)  # seen: `buffer_size`
```

Bad (a list among pipes):

```python
from torch.utils.data.datapipes.iter import IterableWrapper

pairs = IterableWrapper(range(3)).zip([1, 2, 3])  # seen: `IterableWrapper`
```

Bad (a function of two arguments):

```python
from torch.utils.data.datapipes.iter import IterableWrapper


def scaled(x, factor):
    return factor * x


pipe = IterableWrapper(range(3)).map(scaled)  # seen: `scaled`
```

Good:

```python
from functools import partial

from torch.utils.data.datapipes.iter import IterableWrapper


def scaled(x, factor):
    return factor * x


left, right = IterableWrapper(range(5000)).map(partial(scaled, factor=2)).fork(2)
total = sum(a + b for a, b in zip(left, right))
```

Message (torch 1.12 to 2.13; `a name`):

```text
UserWarning: Lambda function is not supported by pickle, please use regular python function or functools.partial instead.
```

Message (torch 1.12 to 2.13; `no length`):

```text
TypeError: FilterIterDataPipe instance doesn't have valid length
```

Message (torch 1.12 to 2.13; `True or False`):

```text
ValueError: ('Boolean output is required for `filter_fn` of FilterIterDataPipe, got', <class 'str'>)
```

Message (torch 1.12 to 2.13; `OOM`):

```text
UserWarning: Unlimited buffer size is set for `fork`, please be aware of OOM at random places
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

FORK = "a pipe has one reader at a time, and another loop, or a second iter(), took over: `fork(2)` gives two that are read in step"


@pitfall.explains(
    r"(?:Forker|Demultiplexer)IterDataPipe buffer overflow, ?buffer size (?P<size>\d+) is insufficient",
    odds=0.97,
)
def one_branch_runs_ahead(failure: Failure) -> Hits:
    yield failure.hit(
        f"one branch is {failure.groups['size']} samples ahead of another: read them in step, zip(a, b), or a larger `buffer_size`"
    )


@pitfall.explains(
    r"The function (?P<name>\w{1,80}|<lambda>) takes (?P<takes>\d+) (?:non-default |positional )?(?:keyword-only )?parameters, (?:but (?P<wants>\d+) are required|which)",
    odds=0.93,
)
def of_other_arguments(failure: Failure) -> Hits:
    name, takes = failure.groups["name"], failure.groups["takes"]
    yield failure.hit(
        f"`{name}` takes {takes} arguments, and a pipe gives it one sample: functools.partial for the others, or input_col"
    )


@pitfall.explains(r"(?P<kind>\w+DataPipe) instance doesn't have valid length", odds=0.97)
def without_length(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} has no length, which its samples alone tell: count them, or go without"
    )


WRAP = "what is joined with a pipe is a pipe too: `IterableWrapper(data)`"
pitfall.answers(
    {
        "This iterator has been invalidated": FORK,
        "All inputs are required to be `IterDataPipe`": WRAP,
        "Expected all inputs to be `IterDataPipe`": WRAP,
        "Expected all inputs to be `MapDataPipe`": WRAP,
        "Lambda function is not supported by pickle": "workers of a loader get the function by its name: one with a name, at the top level of a file",
        "Local function is not supported by pickle": "workers of a loader get the function by its name: one at the top level of a file",
        "Boolean output is required for `filter_fn`": "what a filter is made of gives True or False for a sample: return bool(...)",
        "Unlimited buffer size is set for": "what one branch has read and another has not is all kept, up to OOM: read the branches in step, or a buffer_size",
    },
    odds=0.95,
)
