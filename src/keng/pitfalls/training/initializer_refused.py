r"""An initializer gets a tensor, or a name, that it has no rule for.

`xavier_*` and `kaiming_*` count how many values come in and go out of a weight, so it needs two dimensions: biases and the
weights of normalization layers have one. `orthogonal_` needs a matrix too. The gain is known for a few functions by
name: `relu`, `leaky_relu`, `tanh`, `sigmoid`, `selu`, `linear` and the convolutions, not for `gelu` or `silu`.

Cure: initialize by kind, `if p.dim() > 1: nn.init.xavier_uniform_(p)`, and biases with zeros; `nonlinearity="relu"` where the
function has no entry of its own.

Bad (all parameters alike):

```python
from torch import nn

model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
for p in model.parameters():
    nn.init.xavier_uniform_(p)  # seen: `p.dim() > 1`
```

Bad (a function without a gain):

```python
import torch
from torch import nn

nn.init.kaiming_normal_(torch.empty(3, 2), nonlinearity="gelu")  # seen: `gelu`
```

Bad (a vector for a matrix):

```python
import torch
from torch import nn

nn.init.orthogonal_(torch.empty(3))  # seen: `2 or more dimensions`
```

Good:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
for p in model.parameters():
    if p.dim() > 1:
        nn.init.kaiming_normal_(p, nonlinearity="relu")
```

Message (torch 1.0 to 2.13; `leaky_relu`):

```text
ValueError: Unsupported nonlinearity LeakyReLU
```

Message (torch 2.13; `fan_out`):

```text
ValueError: Mode avg not supported, please use one of ['fan_in', 'fan_out']
```

Bad (a slope that is no number):

```python
import torch
from torch import nn

nn.init.kaiming_uniform_(torch.empty(3, 2), a="leaky_relu")  # seen: `leaky_relu`
```

Bad (groups that do not divide):

```python
import torch
from torch import nn

nn.init.dirac_(torch.empty(3, 2, 2), groups=2)  # seen: `groups`
```

Bad (a layer that cannot be made empty):

```python
from torch import nn

layer = nn.utils.skip_init(nn.ReLU)  # seen: `device`
```

Message (torch 1.5 to 2.13; `inside`):

```text
UserWarning: mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Fan in and fan out can ?not be computed for tensor with fewer than 2 dimensions",
    odds=0.97,
)
def a_vector_has_no_fans(failure: Failure) -> Hits:
    yield failure.hit(
        "a bias or the weight of a normalization has one dimension: only those with p.dim() > 1"
    )


@pitfall.explains(r"Unsupported nonlinearity (?P<name>\w+)", odds=0.95)
def no_gain_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    near = "leaky_relu" if name.lower().startswith("leaky") else "relu"
    yield failure.hit(f'no gain is known for {name}: nonlinearity="{near}" is near')


@pitfall.explains(r"negative_slope (?P<name>\S{1,40}) not a valid number", odds=0.97)
def slope_that_is_no_number(failure: Failure) -> Hits:
    yield failure.hit(
        f"`a` is the slope of a leaky ReLU, a number, and not {failure.groups['name']}: the function's name is nonlinearity="
    )


pitfall.answers(
    {
        "dim 0 must be divisible by groups": "the first size of the weight is no multiple of groups=",
        "must support a 'device' arg to skip init": "skip_init makes the layer on meta, and this one's constructor takes no device=: make it as usual",
        "mean is more than 2 std from [a, b]": "hardly any value of this normal distribution lies in [a, b]: mean inside of it, or wider a and b",
    },
    odds=0.96,
)


@pitfall.explains(r"Mode (?P<name>\w+) not supported, please use one of \['fan_in'", odds=0.96)
def no_such_mode(failure: Failure) -> Hits:
    yield failure.hit(f"the mode is fan_in or fan_out, not {failure.groups['name']}")


@pitfall.explains(
    r"Only tensors with (?P<dims>2 or more|2|3, 4, or 5) dimensions are supported", odds=0.85
)
def other_dimensions(failure: Failure) -> Hits:
    dims = failure.groups["dims"]
    bias = ": zeros_ for a bias" if dims == "2 or more" else ""
    yield failure.hit(f"this initializer is for tensors of {dims} dimensions{bias}")
