r"""An element of a tensor is set to what is no number, or is to be deleted.

A tensor is one block of numbers of one dtype. A place in it takes a number or a tensor: no text, no None, no array of NumPy. It does not shrink
either: `del x[0]` and `append` are a list's.

Cure: `float("nan")` or a mask for a missing value; `torch.as_tensor(array)` for an array; `x = x[1:]` or `x[keep]` for fewer elements; a list while it grows.

Bad (nothing):

```python
import torch

scores = torch.zeros(3)
scores[0] = None  # seen: `NoneType`
```

Bad (to be deleted):

```python
import torch

scores = torch.zeros(3)
del scores[0]  # seen: `x[keep]`
```

Good:

```python
import torch

scores = torch.zeros(3)
scores[0] = float("nan")
scores = scores[1:]
```

Message (torch 0.1 to 0.3; `y[0]`):

```text
TypeError: can't assign a torch.FloatTensor to a scalar value of type float
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"can't assign an? (?P<kind>[\w.]+) to a torch\.(?P<tensor>[\w.]*Tensor)", odds=0.96
)
def no_number(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    several = kind in ("list", "tuple", "numpy.ndarray", "ndarray")
    cure = "torch.as_tensor(x)" if several else "a number or a tensor"
    yield failure.hit(f"a place in a tensor is set to {kind}: {cure}")


@pitfall.explains(r"Tensor does not support deleting items", odds=0.97)
def cannot_shrink(failure: Failure) -> Hits:
    yield failure.hit("a tensor does not shrink in place: x = x[keep], or a list while it changes")


@pitfall.explains(r"can't assign an? (?P<kind>[\w.]+) to a scalar value of type", odds=0.96)
def tensor_for_a_number(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(
        f"one place is to hold a number, and gets {kind}: before 0.4 a tensor of one value is none, `y[0]`"
    )
