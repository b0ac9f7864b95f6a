r"""A size is negative.

A size that is computed, as what is left after something is taken away, has gone below zero: more was taken
than was there. A layer, a random permutation or an empty tensor of such a size cannot be made. Only `view`,
`reshape` and `expand` know a -1 that stands for what fits.

Cure: look at the sizes that were subtracted; `max(0, n)` where nothing may be left. An enormous negative number is one
that did not fit into 32 bits.

Bad:

```python
import torch

tokens, most = torch.zeros(10), 8
padding = torch.zeros(2, most - len(tokens))  # seen: two tokens too many
```

Bad (a layer; `(2, -2)`):

```python
from torch import nn

width, heads = 4, 6
layer = nn.Linear(width - heads, 2)  # seen: the width is smaller than what is taken away
```

Good:

```python
import torch

tokens, most = torch.zeros(10), 8
tokens = tokens[:most]
padding = torch.zeros(2, most - len(tokens))
```

Message (torch 1.3 to 2.13, of torch.zeros(-1, 512); `what fits`):

```text
RuntimeError: Trying to create tensor with negative dimension -1: [-1, 512]
```

Message (torch 1.3; `32 bits`):

```text
RuntimeError: Trying to create tensor with negative dimension -1853689905: [-1853689905]
```

Message (torch 1.8, of a file of sound that is read as too long; `32 bits`):

```text
RuntimeError: Trying to create tensor with negative dimension -225262592: [-225262592, 2]
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

FAR = 2**24
"""What is further below zero was no difference of sizes."""


@pitfall.explains(
    r"Trying to create tensor with negative dimension (?P<size>-\d+): \[(?P<shape>[-\d, ]+)\]",
    odds=0.95,
)
def below_zero(failure: Failure) -> Hits:
    size, shape = failure.groups["size"], failure.groups["shape"]
    cure = "more was taken away than was there"
    if size == "-1":
        cure += ", or -1 is to be what fits, which view and expand know alone"
    if int(size) < -FAR:
        cure = "a number that did not fit into 32 bits"
    yield failure.hit(f"a tensor of shape ({shape}) is to be made, and {size} is no size: {cure}")


@pitfall.explains(r": Dimension size must be non-negative", odds=0.9)
def below_zero_without_its_size(failure: Failure) -> Hits:
    yield failure.hit("a size that was computed is below zero: more was taken away than was there")
