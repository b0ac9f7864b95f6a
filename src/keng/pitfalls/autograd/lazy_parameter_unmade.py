r"""A lazy layer is used before it knows its size.

`nn.LazyLinear` and its kin make their parameters in the first forward, from the input that comes. Before it they have no shape
and no values: they cannot be counted, initialized, copied into another layer or shared between processes.

Cure: one forward with an input of the right size, `model(torch.zeros(1, 3, 32, 32))`, before anything else is done with the
parameters, and before the optimizer is made.

Bad:

```python
from torch import nn

model = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
size = sum(p.numel() for p in model.parameters())  # seen: `a forward`
```

Good:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
model(torch.zeros(1, 3, 4, 4))
size = sum(p.numel() for p in model.parameters())
```

Message (torch 2.13):

```text
RuntimeError: Can't access the shape of an uninitialized parameter or buffer. This error usually happens in `load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to initialize the parameters before accessing their attributes.
```

Message (torch 2.13):

```text
ValueError: The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the dummy forward before applying weight normalization
```

Message (torch 1.8 to 2.13):

```text
RuntimeError: module LazyLinear has not been fully initialized
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Attempted to use an uninitialized parameter in",
    r"Can't (?:access the shape of|share memory on) an uninitialized parameter",
    r"can't have uninitialized parameters",
    r"\bmodule \w{1,80} has not been fully initialized",
    odds=0.96,
)
def size_unknown(failure: Failure) -> Hits:
    yield failure.hit(
        "a lazy layer has no parameters before a forward: run one with a dummy input first"
    )
