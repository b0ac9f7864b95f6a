r"""A histogram, a count or a search gets bins, edges or weights that do not fit.

Bins are a number above 0, or edges in one dimension; `histogramdd` takes one list of edges for each column of its input. A range goes from a smaller
to a larger number, all finite. `bincount` has one weight for each number that is counted. `searchsorted` looks up in sorted values, at least one
dimension of them; several rows of them want as many rows of what is looked up.

Cure: print the number of bins, and `x.min()` and `x.max()`, before; `torch.nan_to_num` for what is not finite; `x.flatten()` for counts.

Bad (no bins):

```python
import torch

counts = torch.histc(torch.ones(4), bins=0)  # seen: `bins=0`
```

Bad (a range backwards):

```python
import torch

counts = torch.histc(torch.ones(4), bins=10, min=5, max=1)  # seen: `min`
```

Bad (of several columns):

```python
import torch

counts, edges = torch.histogramdd(torch.ones(5, 3), [2, 2])  # seen: `column`
```

Bad (weights of others):

```python
import torch

counts = torch.bincount(torch.arange(4), torch.ones(2))  # seen: `weights`
```

Bad (a count below zero):

```python
import torch

counts = torch.bincount(torch.arange(4), minlength=-1)  # seen: `minlength`
```

Bad (a single edge):

```python
import torch

place = torch.searchsorted(torch.tensor(1.0), torch.ones(4))  # seen: `torch.tensor([edge])`
```

Bad (an order that is none):

```python
import torch

order = torch.tensor([2, 0, 5])
place = torch.searchsorted(torch.arange(3.0), torch.ones(4), sorter=order)  # seen: `argsort()`
```

Bad (two sides):

```python
import torch

values, x = torch.arange(3.0), torch.ones(4)
place = torch.searchsorted(values, x, side="left", right=True)  # seen: `side=`
```

Bad (values without an end):

```python
import torch

x = torch.tensor([1.0, float("inf")]).reshape(2, 1)
counts, edges = torch.histogramdd(x, [4])  # seen: `inf`
```

Good:

```python
import torch

counts = torch.histc(torch.ones(4), bins=10, min=1, max=5)
counts, edges = torch.histogramdd(torch.ones(5, 3), [2, 2, 2])
counts = torch.bincount(torch.arange(4), torch.ones(4))
values = torch.tensor([2.0, 0.0, 1.0])
place = torch.searchsorted(values, torch.ones(4), sorter=values.argsort())
```

Message (torch 2.13; `1-dimensional`):

```text
RuntimeError: torch.histogramdd: expected 1 sequences of bin edges for a 1-dimensional histogram but got 5
```

Message (torch 2.13; `[25]`):

```text
RuntimeError: torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape [25, 1] and weight with shape [125]
```

Message (torch 2.13; `Long`):

```text
RuntimeError: torch.searchsorted(): sorter must be a tensor of long dtype but got dtype Int
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"histogram\w*\(\): bins must be > 0, but got (?P<bins>-?\d+)", odds=0.96)
def no_bins(failure: Failure) -> Hits:
    yield failure.hit(f"a histogram has one bin at least, and gets bins={failure.groups['bins']}")


@pitfall.explains(
    r"histogramdd: expected \d+ sequences of bin edges for a (?P<n>\d+)-dimensional histogram but got (?P<came>\d+)",
    odds=0.96,
)
def edges_of_others(failure: Failure) -> Hits:
    n, came = failure.groups["n"], failure.groups["came"]
    yield failure.hit(
        f"the histogram is {n}-dimensional and takes as many lists of edges, one for each column, and gets {came}"
    )


@pitfall.explains(
    r"histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but "
    r"got input with shape \[(?P<there>[\d, ]{0,80}?)(?:, )?\d{1,12}\] and weight with shape \[(?P<came>[\d, ]{0,80})\]",
    odds=0.96,
)
def weights_of_others(failure: Failure) -> Hits:
    there, came = failure.groups["there"], failure.groups["came"]
    yield failure.hit(f"the weights are [{came}], and one for each row is [{there}]")


@pitfall.explains(
    r"histogramdd: dimension (?P<dim>\d+)'s range \[(?P<range>[^\]]{3,40})\] is not finite",
    odds=0.96,
)
def without_an_end(failure: Failure) -> Hits:
    dim, span = failure.groups["dim"], failure.groups["range"]
    yield failure.hit(
        f"column {dim} goes from {span.replace(', ', ' to ')}: x[torch.isfinite(x).all(1)], or range="
    )


@pitfall.explains(r"sorter must be a tensor of long dtype but got dtype (?P<came>\w+)", odds=0.96)
def order_of_another_dtype(failure: Failure) -> Hits:
    yield failure.hit(
        f"`sorter` is what values.argsort() gives, of dtype Long, and is {failure.groups['came']}"
    )


pitfall.answers(
    {
        "histc: max must be larger than min": "the range goes from min= to max=, and min= is the larger one",
        "The size of bins must be equal to the innermost dimension of the input": "bins has one number for each column of the input, its last "
        "dimension",
        "weights should be 1-d and have the same length as input": "bincount takes one of `weights` for each number: both flat and of one length",
        "minlength should be >= 0": "minlength is 0 or more: how many counts there are at least",
        "boundaries tensor should have positive dimension": "the sorted values have a dimension even where there is one of them: torch.tensor([edge])",
        "sorter index out of range": "`sorter` is an order of the values, as values.argsort() gives it",
        "side and right can't be set to opposites": "side= and right= say the same: one of them alone",
    },
    odds=0.96,
)
