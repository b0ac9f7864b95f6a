r"""A tensor is written to whose elements share memory.

`expand` shows one number in many places and copies nothing; written to, each of these places would change the
others. The same holds for a shifted slice of a tensor that is written to another slice of it.

Cure: `.clone()` (or `.repeat` instead of `.expand`) before writing; compute a new value instead of changing in place.

Bad:

```python
import torch

mask = torch.zeros(3, 1).expand(3, 4)
mask += 1  # seen: `expand`
```

Bad (a shifted slice):

```python
import torch

x = torch.arange(5.0)
torch.add(x[:-1], 1, out=x[1:])  # seen: the slices overlap
```

Good:

```python
import torch

mask = torch.zeros(3, 1).expand(3, 4).clone()
mask += 1
x = torch.arange(5.0)
x[1:] = x[:-1] + 1
```

Message (torch 1.5 to 2.13, an optimizer that updates a weight which was expanded; `clone`):

```text
RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"more than one element of the written-to tensor refers to a single memory", odds=0.96
)
def expanded(failure: Failure) -> Hits:
    yield failure.hit(
        "the tensor that is written to came from expand, and one number stands in many places: clone it first"
    )


@pitfall.explains(
    r"some elements of the input tensor and the written-to tensor refer to a single memory",
    odds=0.96,
)
def overlapping(failure: Failure) -> Hits:
    yield failure.hit(
        "what is read and what is written share memory, shifted: clone what is read first"
    )
