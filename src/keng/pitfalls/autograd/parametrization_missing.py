r"""A normalization of weights is put on twice, taken off where it is not, or pickled.

`weight_norm`, `spectral_norm` and pruning replace a weight by something that is computed from others. On one weight they stand once; `remove_*` finds
only what its own kind has put there. With `torch.nn.utils.parametrizations` the module gets a class made on
the spot, which cannot be pickled whole.

Cure: keep whether it is on, or ask `parametrize.is_parametrized(layer, "weight")`; take it off with the function that belongs to it; save
`model.state_dict()`.

Bad (twice):

```python
from torch import nn
from torch.nn.utils import spectral_norm

layer = spectral_norm(nn.Linear(2, 2))
layer = spectral_norm(layer)  # seen: `twice`
```

Bad (a whole model saved):

```python
import io

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

model = weight_norm(nn.Linear(2, 2))
torch.save(model, io.BytesIO())  # seen: `state_dict`
```

Bad (pruning that was not done):

```python
from torch import nn
from torch.nn.utils import prune

layer = nn.Linear(4, 3)
prune.remove(layer, "weight")  # seen: `pruning`
```

Bad (on another name):

```python
from torch import nn
from torch.nn.utils import parametrize

layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weights", nn.ReLU())  # seen: `weights`
```

Bad (an assignment that cannot be undone):

```python
import torch
from torch import nn
from torch.nn.utils import parametrize

layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", nn.ReLU())
layer.weight = torch.ones(3, 4)  # seen: `right_inverse`
```

Bad (another shape):

```python
from torch import nn
from torch.nn.utils import parametrize


class First(nn.Module):
    def forward(self, weight):
        return weight[:1]


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", First())  # seen: `[1, 4] of [3, 4]`
```

Bad (another dtype):

```python
from torch import nn
from torch.nn.utils import parametrize


class Other(nn.Module):
    def forward(self, weight):
        return weight.double()


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Other())  # seen: `dtype`
```

Bad (no tensor):

```python
from torch import nn
from torch.nn.utils import parametrize


class Other(nn.Module):
    def forward(self, weight):
        return [weight]


layer = nn.Linear(4, 3)
parametrize.register_parametrization(layer, "weight", Other())  # seen: a tensor
```

Bad (of a bias):

```python
from torch import nn
from torch.nn.utils.parametrizations import orthogonal

layer = nn.Linear(4, 3)
orthogonal(layer, "bias")  # seen: matrix
```

Bad (back to the original):

```python
from torch import nn
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import weight_norm

layer = weight_norm(nn.Linear(4, 3))
parametrize.remove_parametrizations(layer, "weight", False)  # seen: `leave_parametrized`
```

Bad (a name that is not there):

```python
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

spectral_norm(nn.Linear(4, 3), "weights")  # seen: `weights`
```

Bad (on a layer that has none):

```python
from torch import nn

layer = nn.utils.spectral_norm(nn.Sequential(nn.Linear(4, 3)))  # seen: `weight`
```

Good:

```python
import io

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

model = weight_norm(nn.Linear(2, 2))
torch.save(model.state_dict(), io.BytesIO())
```

Message (torch 2.13; `Linear`):

```text
ValueError: weight_norm of 'weight' not found in Linear(in_features=2, out_features=2, bias=True)
```

Message (torch 2.13; `Linear`):

```text
ValueError: Module Linear(in_features=2, out_features=2, bias=True) does not have a parametrization on weight
```

Message (torch 2.13):

```text
RuntimeError: Cannot trace a model while caching parametrizations.
```

Message (torch 2.13; `shape`):

```text
ValueError: Registering a parametrization may not change the shape of the tensor, unless the `unsafe` flag is enabled.
module.weight.shape: torch.Size([3, 4])
parametrization(module.weight).shape: torch.Size([1, 4])
```

Bad (a bias that was not made):

```python
from torch import nn

layer = nn.utils.spectral_norm(nn.Linear(2, 2, bias=False), "bias")  # seen: `bias=False`
```

Bad (no iterations):

```python
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

spectral_norm(nn.Linear(2, 2), n_power_iterations=0)  # seen: `n_power_iterations`
```

Message (torch 2.13; `torch.jit`):

```text
RuntimeError: Parametrization is not working with scripting.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Cannot register two (?P<what>\w+) hooks on the same parameter (?P<name>\w+)", odds=0.97
)
def put_on_twice(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    yield failure.hit(f"{what} is put on `{name}` twice: it is on already")


@pitfall.explains(
    r"Parameter '(?P<name>\w+)' of module (?P<kind>\w+)\(.{0,300}?\) has to be pruned before (?P<what>pruning) can be removed",
    r"(?P<what>weight_norm|spectral_norm) of '(?P<name>\w+)' not found in (?P<kind>\w+)",
    r"Module (?P<kind>\w+)\(.{0,300}?\) does not have a (?P<what>parametrization) on (?P<name>\w+)",
    odds=0.96,
)
def not_there(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"`{groups['name']}` of {groups['kind']} has no {groups['what']} of this kind: off already, or of the other API"
    )


@pitfall.explains(
    r"Module '(?P<kind>\w+)\(.{0,300}?\)' does not have a parameter, a buffer, or a parametrized element with name "
    r"'(?P<name>\w+)'",
    r"Module '(?P<kind>\w+)\(.{0,300}?\)' has no parameter or buffer with name '(?P<name>\w+)'",
    odds=0.96,
)
def nothing_to_put_it_on(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} has no tensor called `{failure.groups['name']}`: the layer inside of it, or its own name, weight_hh_l0 of an LSTM"
    )


@pitfall.explains(r"parametrization (?P<by>\w+) does not implement right_inverse", odds=0.96)
def not_to_be_assigned(failure: Failure) -> Hits:
    by = failure.groups["by"]
    yield failure.hit(
        f"a tensor that {by} computes is assigned to, and {by} has no right_inverse, which says what it is computed of"
    )


@pitfall.explains(
    r"unparametrized shape: torch\.Size\((?P<was>\[[\d, ]*\])\)\s{1,3}parametrized shape: torch\.Size\((?P<gets>\[[\d, ]*\])\)",
    odds=0.96,
)
def of_another_shape(failure: Failure) -> Hits:
    yield failure.hit(
        f"the parametrization makes {failure.groups['gets']} of {failure.groups['was']}, and the layer wants the latter"
    )


pitfall.answers(
    {
        "Serialization of parametrized modules is only supported": "a parametrized model is not pickled whole: save model.state_dict()",
        "A parametrization must return a tensor": "the parametrization's forward has to give back a tensor",
        "Expected a matrix or batch of matrices": "orthogonal takes a matrix, as a weight is, and no bias",
        "Cannot leave unparametrized": "several tensors make up this one, so that there is no original to go back to: leave_parametrized=True",
        "`SpectralNorm` cannot be applied as parameter": "the layer was made without this tensor, as by bias=False: put the norm on another",
        "Expected n_power_iterations to be positive": "spectral_norm estimates in each forward of training: n_power_iterations of 1 or more",
        "Parametrization is not working with scripting": "torch.jit.script does not know parametrizations: remove_parametrizations before it",
        "Cannot trace a model while caching": "inside of parametrize.cached() nothing is traced: trace before it",
    },
    odds=0.96,
)


@pitfall.explains(
    r"parametrization(?: may not change the|\.right_inverse must have the same) (?P<what>dtype|shape)",
    odds=0.95,
)
def makes_another_kind(failure: Failure) -> Hits:
    yield failure.hit(
        f"the parametrization gives a tensor of another {failure.groups['what']} than the layer has: keep it, or unsafe=True"
    )


@pitfall.explains(r"(?:^|Error: )'(?P<name>weight|bias)'$", odds=0.95)
def without_such_a_weight(failure: Failure) -> Hits:
    last = failure.frames[-1].path if failure.frames else ""
    if last.endswith("torch/nn/utils/spectral_norm.py"):
        yield failure.hit(
            f"the layer has no parameter `{failure.groups['name']}` of its own: put the norm on the layer inside that has it, or name it"
        )
