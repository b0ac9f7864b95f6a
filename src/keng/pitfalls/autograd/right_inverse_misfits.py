r"""What a parametrization's `right_inverse` gives back does not fit.

`layer.weight = tensor` on a parametrized weight calls `right_inverse`, which says what the original must be so that `forward` gives that tensor. Where it is
defined, `register_parametrization` calls it too, to find the first original. It gives one tensor, of the dtype of the original, or a tuple of tensors,
one for each argument of `forward`.

Cure: `right_inverse(self, weight)` returns a tensor or a tuple of tensors, of the dtype and on the device of what it gets; what is assigned has the layer's dtype.

Bad (no tensor):

```python
from torch import nn
from torch.nn.utils import parametrize


class Scaled(nn.Module):
    def forward(self, weight):
        return weight * 2

    def right_inverse(self, weight):
        return weight.mean().item() / 2


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Scaled())  # seen: `float`
```

Bad (another dtype):

```python
from torch import nn
from torch.nn.utils import parametrize


class Scaled(nn.Module):
    def forward(self, weight):
        return weight * 2

    def right_inverse(self, weight):
        return weight.double() / 2


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Scaled())  # seen: `float64`
```

Bad (another dtype is assigned):

```python
import torch
from torch import nn
from torch.nn.utils import parametrize


class Scaled(nn.Module):
    def forward(self, weight):
        return weight * 2

    def right_inverse(self, weight):
        return weight / 2


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Scaled())
layer.weight = torch.ones(3, 4, dtype=torch.float64)  # seen: `float64`
```

Bad (a matrix without an inverse):

```python
import torch
from torch import nn
from torch.nn.utils.parametrizations import orthogonal

layer = orthogonal(nn.Linear(2, 2), orthogonal_map="cayley", use_trivialization=False)
layer.weight = torch.eye(2)  # seen: `use_trivialization`
```

Bad (an element that is none):

```python
from torch import nn
from torch.nn.utils import parametrize


class Sum(nn.Module):
    def forward(self, weight, shift):
        return weight + shift

    def right_inverse(self, weight):
        return weight, 0.0


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Sum())  # seen: `float`
```

Good:

```python
import torch
from torch import nn
from torch.nn.utils import parametrize


class Scaled(nn.Module):
    def forward(self, weight):
        return weight * 2

    def right_inverse(self, weight):
        return weight / 2


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Scaled())
layer.weight = torch.ones(3, 4)
```

Message (torch 2.13; `2 tensors`):

```text
ValueError: 'right_inverse' must return a sequence of tensors of length 2. Got a sequence of length 3.
```

Message (torch 2.13; `int`):

```text
ValueError: `right_inverse` should return a tensor. Got int
```

Message (torch 2.13; `cpu`):

```text
ValueError: When `right_inverse` outputs one tensor, it may not change the device.
original.device: cuda:0
right_inverse(original).device: cpu
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"[`']?right_inverse[`']? (?:must|should) return a (?:[Tt]ensor|[Ss]equence of tensors)[^\n]{0,80}?\. Got:? "
    r"(?:element \d+ of (?:the sequence with )?type )?(?P<came>[A-Za-z_]\w*)\b(?! sequence)",
    odds=0.97,
)
def gives_no_tensor(failure: Failure) -> Hits:
    yield failure.hit(
        f"right_inverse gives a {failure.groups['came']}: a tensor, or a tuple of one for each argument of forward"
    )


@pitfall.explains(
    r"must return a sequence of tensors of length (?P<wants>\d+)\. Got a sequence of length (?P<came>\d+)",
    odds=0.97,
)
def gives_another_number(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"right_inverse gives {came} tensors, and it gave {wants} tensors at first")


@pitfall.explains(
    r"When `right_inverse` outputs one tensor, it may not change the (?P<what>dtype|device)\.\soriginal\.\w+: (?P<wants>[\w.:]+)\s"
    r"right_inverse\(original\)\.\w+: (?P<came>[\w.:]+)",
    r"[Tt]ensor (?:\d+ )?returned by `right_inverse` has (?P<what>dtype) (?P<came>[\w.]+) while `original\d*` has dtype (?P<wants>[\w.]+)",
    odds=0.97,
)
def of_another_kind(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(
        f"the {what} of what is assigned or comes from right_inverse is {came}, and the original has {wants}"
    )


@pitfall.explains(
    r"not possible to assign to the matrix exponential or the Cayley parametrizations", odds=0.97
)
def without_an_inverse(failure: Failure) -> Hits:
    yield failure.hit(
        "this orthogonal weight is assigned to only with use_trivialization=True, or orthogonal_map='householder'"
    )
