r"""A parameter is to be replaced by a plain tensor.

A module registers parameters under their names and refuses another kind of value there, since the
optimizer and `state_dict` would lose it without a word.

Cure: `module.weight = nn.Parameter(tensor)`; to change values only, `with torch.no_grad():
module.weight.copy_(tensor)`; to drop it, assign None.

Bad:

```python
import torch
from torch import nn

layer = nn.Linear(2, 2)
layer.weight = torch.eye(2)  # seen: `weight`
```

Bad (something that is no layer):

```python
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), lambda x: x.relu())  # seen: a function is no module
```

Bad (a list):

```python
from torch import nn

layers = [nn.Linear(2, 2), nn.ReLU()]
net = nn.Sequential(layers)  # seen: `nn.Sequential(*layers)`
```

Bad (a class):

```python
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer, 2)  # seen: parentheses
```

Good:

```python
import torch
from torch import nn

layer = nn.Linear(2, 2)
layer.weight = nn.Parameter(torch.eye(2))
net = nn.Sequential(layer, nn.ReLU())
```

Message (torch 1.0 to 2.13; `scale`):

```text
TypeError: cannot assign 'numpy.ndarray' object to buffer 'scale' (torch Tensor or None required)
```

Message (torch 1.0 to 2.13; `fc`):

```text
TypeError: cannot assign 'torch.FloatTensor' as child module 'fc' (torch.nn.Module or None expected)
```

Message (torch 1.0 to 2.13, of layers; `nn.ModuleList`):

```text
TypeError: cannot assign 'list' as child module 'layers' (torch.nn.Module or None expected)
```

Message (torch 1.0 to 2.13, of what a layer gives; `not relu(x)`):

```text
TypeError: torch.FloatTensor is not a Module subclass
```

Message (torch 1.0 to 2.13, of a function; `a small nn.Module`):

```text
TypeError: cannot assign 'builtin_function_or_method' as child module 'act' (torch.nn.Module or None expected)
```

Message (torch 1.0 to 2.13; `weight`):

```text
ValueError: Cannot assign non-leaf Tensor to parameter 'weight'. Model parameters must be created explicitly. To express 'weight' as a function of another Tensor, compute the value in the forward() method.
```

Message (torch 2.13; `a loss is a tensor`):

```text
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/loss.py", line 859, in __init__
    self.register_buffer("pos_weight", pos_weight)
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 596, in register_buffer
    raise TypeError(
TypeError: cannot assign 'float' object to buffer 'pos_weight' (torch Tensor or None required)
```

Message (torch 0.1 to 0.3):

```text
TypeError: Cannot assign non-leaf Variable to parameter 'weight'. Model parameters must be created explicitly. To express 'weight' as a function of another variable, compute the value in the forward() method.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.torch_names import MODULES

pitfall = Pitfall(__name__, __doc__, severity="error")

COLLECTED = {
    "type": "an object of it, parentheses",
    "Tensor": "the layer, and not what it gives: nn.ReLU(), not relu(x)",
    "FloatTensor": "the layer, and not what it gives: nn.ReLU(), not relu(x)",
    "list": "nn.Sequential(*layers)",
    "dict": "nn.Sequential(OrderedDict(layers))",
    "OrderedDict": "nn.Sequential(layers), and nothing besides",
}
OTHERWISE = "another name, or a small nn.Module around a function"
PARTS = {"list": "nn.ModuleList([...])", "dict": "nn.ModuleDict({...})"}
RESULT = "another name for what the layer gives, the layer keeps this one"


@pitfall.explains(
    r"cannot assign '(?P<kind>[\w.]+)' (?:object )?(?:as|to) parameter '(?P<name>\w+)'", odds=0.97
)
def plain_tensor(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"`{name}` is a parameter: nn.Parameter(...), or {name}.copy_(...) under no_grad"
    )


@pitfall.explains(r"(?<![\w.<>])(?P<kind>[\w.<>]{1,200}) is not a Module subclass", odds=0.95)
def no_module(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    if cure := COLLECTED.get(kind, "" if kind not in MODULES else "an object of it, parentheses"):
        yield failure.hit(
            f"a container of modules takes modules only, and this is a {kind}: {cure}"
        )
        return
    yield failure.hit(
        f"a container of modules takes modules only, not `{failure.groups['kind']}`: nn.ReLU() for relu, "
        "a small Module for a function"
    )


@pitfall.explains(
    r"cannot assign '(?P<kind>[\w.]+)' (?:object )?(?:as|to) (?P<what>buffer|child module) '(?P<name>\w+)'",
    r"Cannot assign non-leaf (?P<kind>Tensor|Variable) to (?P<what>parameter) '(?P<name>\w+)'",
    odds=0.95,
)
def another_place(failure: Failure) -> Hits:
    kind, what, name = (failure.groups[key] for key in ("kind", "what", "name"))
    if failure.passed_through("torch/nn/modules/loss.py"):
        yield failure.hit(f"`{name}` of a loss is a tensor, not a {kind}: torch.tensor(...)")
        return
    tensor = kind.endswith(("Tensor", "Variable"))
    cure = {
        "buffer": "torch.as_tensor(...), or another name for what is none",
        "parameter": "nn.Parameter(x.detach()) for its value, or another name and compute it in forward",
    }.get(what, RESULT if tensor else PARTS.get(kind, OTHERWISE))
    yield failure.hit(f"`{name}` is a {what}, and a {kind} is assigned to it: {cure}")
