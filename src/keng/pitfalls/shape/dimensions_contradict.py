r"""Dimensions are named twice, or in an order that cannot be.

`permute`, `flip`, `sum`, `movedim` and `roll` take a list of dimensions in which each stands once. 0 and -1 are the same one
when there is only one. `flatten` goes from a first dimension to a later one.

Cure: print the shape and write each dimension once, counted from one end.

Bad (twice in an order):

```python
import torch

image = torch.ones(3, 4, 5).permute(1, 2, 1)  # seen: `twice`
```

Bad (twice in a sum):

```python
import torch

total = torch.ones(2, 3).sum(dim=(1, -1))  # seen: `dimension 1`
```

Bad (backwards):

```python
import torch

rows = torch.ones(2, 3, 4).flatten(2, 1)  # seen: `end_dim`
```

Good:

```python
import torch

image = torch.ones(3, 4, 5).permute(1, 2, 0)
total = torch.ones(2, 3).sum(dim=(0, 1))
rows = torch.ones(2, 3, 4).flatten(1, 2)
```

Message (torch 2.13; `dimension 0`):

```text
RuntimeError: diagonal dimensions cannot be identical 0, 0
```

Message (torch 2.13; `as many`):

```text
RuntimeError: shifts and dimensions must align. shifts: 2, dims:1
```

Message (torch 2.13; `as many`):

```text
RuntimeError: movedim: Invalid source or destination dims: source ([0, 1] dims) should contain the same number of dims as destination ([0] dims)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"dim (?P<dim>-?\d+) appears multiple times in the list of dims",
    r"duplicate dims are not allowed",
    r"diagonal dimensions cannot be identical (?P<dim>-?\d+)",
    odds=0.96,
)
def named_twice(failure: Failure) -> Hits:
    dim = failure.groups.get("dim")
    which = f"dimension {dim}" if dim else "a dimension"
    yield failure.hit(f"{which} is named twice; a negative number may be the same one")


@pitfall.explains(r"start_dim cannot come after end_dim", odds=0.96)
def backwards(failure: Failure) -> Hits:
    yield failure.hit("start_dim lies after end_dim: the first dimension to join, then the last")


@pitfall.explains(
    r"shifts and dimensions must align",
    r"should contain the same number of dims as destination",
    odds=0.96,
)
def not_as_many(failure: Failure) -> Hits:
    yield failure.hit("the two lists go together one by one: give as many of one as of the other")
