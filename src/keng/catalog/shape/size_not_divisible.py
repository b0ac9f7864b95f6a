r"""A dimension cannot be divided into equal parts.

Pixel shuffles, channel shuffles, equal splits and views as a wider dtype cut a dimension
into parts of one size. An image whose height is odd, or channels that were counted for another factor, leave a
rest.

Cure: pad or crop the input to a multiple, or choose a factor that divides the size.

Bad (channels for a factor of two):

```python
import torch
import torch.nn.functional as F

large = F.pixel_shuffle(torch.ones(1, 3, 4, 4), 2)  # seen: `3 is no multiple of 4`
```

Bad (an odd height):

```python
import torch
import torch.nn.functional as F

small = F.pixel_unshuffle(torch.ones(1, 3, 5, 4), 2)  # seen: `5 is no multiple of 2`
```

Bad (a wider dtype):

```python
import torch

bytes_read = torch.ones(1, 6, dtype=torch.uint8)
values = bytes_read.view(torch.float32)  # seen: `6 is no multiple of 4`
```

Good:

```python
import torch
import torch.nn.functional as F

large = F.pixel_shuffle(torch.ones(1, 12, 4, 4), 2)
small = F.pixel_unshuffle(F.pad(torch.ones(1, 3, 5, 4), (0, 0, 0, 1)), 2)
values = torch.ones(1, 8, dtype=torch.uint8).view(torch.float32)
```

Message (torch 2.13; `3 is no multiple of 2`):

```text
RuntimeError: torch.hsplit attempted to split along dimension 0, but the size of the dimension 3 is not divisible by the split_size 2!
```

Message (torch 2.13, on every rank; `processes`):

```text
RuntimeError: Tensor's dim 0 does not divide equally across group size
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"input\.size\(-\d\)=(?P<size>\d+) is not divisible by (?P<by>\d+)",
    r"the size of the dimension (?P<size>\d+) is not divisible by the split_size (?P<by>\d+)",
    r"must be divisible by (?P<by>\d+) to view \w+ as \w+ \(different element sizes\), but got (?P<size>\d+)",
    odds=0.96,
)
def leaves_a_rest(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(f"a size of {groups['size']} is no multiple of {groups['by']}")


@pitfall.explains(r"Tensor's dim 0 does not divide equally across group size", odds=0.95)
def over_the_ranks(failure: Failure) -> Hits:
    yield failure.hit("the first dimension is no multiple of the number of processes: pad it")
