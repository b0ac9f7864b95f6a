r"""A whole number is divided by zero.

Floating-point numbers give `inf` or `nan` where they are divided by zero; whole numbers have neither, so on the CPU `//`, `%` and
`torch.fmod` of integer tensors raise. On a GPU nothing is raised, and the result is any number. The zero is a count of samples
that were not there, an empty mask or a remainder that came out as nothing.

Cure: divide by `count.clamp(min=1)`, or in floats; find out why the count is zero.

Bad:

```python
import torch

hits, seen = torch.tensor([3, 0]), torch.tensor([4, 0])
mean = hits // seen  # seen: `clamp(min=1)`
```

Good:

```python
import torch

hits, seen = torch.tensor([3, 0]), torch.tensor([4, 0])
mean = hits // seen.clamp(min=1)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"(?:^|Error: )ZeroDivisionError$", odds=0.96)
def no_infinity_in_whole_numbers(failure: Failure) -> Hits:
    if failure.kind == "RuntimeError":
        yield failure.hit(
            "a tensor of whole numbers is divided by one that holds a zero: count.clamp(min=1), or floats"
        )
