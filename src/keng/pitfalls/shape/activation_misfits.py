r"""An activation is made for other channels, or for a range that is none.

Most activations take whatever comes. A few are made for something: `nn.PReLU(n)` learns a slope for each of n channels, which are the second dimension, or the only one;
`nn.Hardtanh` cuts between a smaller and a larger number; changed in place, a leaky ReLU or an ELU with a negative slope no longer shows which of its inputs were
below zero, which its gradient asks.

Cure: `nn.PReLU()` has one slope for all; the smaller number first; `inplace=False` for negative slopes.

Bad (slopes for other channels):

```python
import torch
from torch import nn

y = nn.PReLU(3)(torch.ones(2, 4, 5))  # seen: `3 slopes and gets 4 channels`
```

Bad (a range upside down):

```python
from torch import nn

clip = nn.Hardtanh(1.0, -1.0)  # seen: `from 1.0 to -1.0`
```

Bad (a negative slope in place):

```python
import torch
import torch.nn.functional as F

x = torch.ones(3, requires_grad=True) * 2
F.leaky_relu_(x, -0.2).sum().backward()  # seen: `inplace=False`
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

y = nn.PReLU(4)(torch.ones(2, 4, 5))
y = nn.PReLU()(torch.ones(2, 4, 5))
y = nn.Hardtanh(-1.0, 1.0)(y)
x = torch.ones(3, requires_grad=True) * 2
F.leaky_relu(x, -0.2).sum().backward()
```

Message (torch 2.13):

```text
RuntimeError: prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = 2
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Found parameter numbers = (?P<has>\d+) and channel size = (?P<came>\d+)", odds=0.97
)
def slopes_of_other_channels(failure: Failure) -> Hits:
    has, came = failure.groups["has"], failure.groups["came"]
    yield failure.hit(
        f"the PReLU has {has} slopes and gets {came} channels, the second dimension: nn.PReLU({came}), or one slope for all, nn.PReLU()"
    )


@pitfall.explains(
    r"max_val \((?P<most>\S{1,20})\) must be greater than min_val \((?P<least>\S{1,20})\)",
    odds=0.97,
)
def range_upside_down(failure: Failure) -> Hits:
    least, most = failure.groups["least"], failure.groups["most"]
    yield failure.hit(
        f"a Hardtanh cuts from the smaller number to the larger one, and is to cut from {least} to {most}"
    )


pitfall.answers(
    {
        "backward calculation is triggered with a negative slope": "changed in place, a negative slope hides which inputs were below zero: inplace=False",
        "Expected `weight` to be a scalar or 1D tensor": "the slopes of a PReLU are one number, or one for each channel: weight.flatten()",
    },
    odds=0.96,
)
