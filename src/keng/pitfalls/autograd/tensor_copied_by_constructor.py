r"""A tensor is copied by `torch.tensor`.

`torch.tensor(x)` is made for lists and numbers. Of a tensor it makes a copy without its graph, on the same device, and
warns: who wanted the graph has lost it, and who wanted a copy can say so more clearly and faster.

Cure: `x.detach().clone()` for a copy without a graph, `x.clone()` for one with it, `x` itself where none is needed.

Bad:

```python
import warnings

import torch

x = torch.ones(3, requires_grad=True)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    y = torch.tensor(x * 2)  # here: `x * 2` is a tensor already
```

Proof:

```python
assert not y.requires_grad
assert "sourceTensor" in str(said[0].message)
```

Bad (the weight of a layer):

```python
import warnings

import torch
from torch import nn

layer = nn.Linear(4, 2)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    before = torch.tensor(layer.weight)  # here: `layer.weight` is a tensor already
```

Proof:

```python
assert "sourceTensor" in str(said[0].message)
```

Good:

```python
import torch

x = torch.ones(3, requires_grad=True)
y = (x * 2).detach().clone()
```

Fine (lists, arrays and numbers; asked what it is):

```python
import numpy as np
import torch


def as_tensor(value: torch.Tensor):
    return value if isinstance(value, torch.Tensor) else torch.tensor(value)


def ratios(value: torch.Tensor):
    if not torch.is_tensor(value):
        value = torch.tensor(value)
    return value


x = as_tensor(torch.ones(3))
y = torch.tensor([1.0, 2.0]) + torch.tensor(np.ones(2))
z = ratios(x) + torch.tensor(x.tolist()) + torch.tensor(x.sum().item()) + torch.tensor(x.shape[0])
```

Message (torch 1.0 to 2.13):

```text
/home/u/data.py:20: UserWarning: To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).
  return torch.tensor(x)
```

Message (torch 1.0 to 2.13; `x.to(device)`):

```text
RuntimeError: Legacy tensor constructor of the form torch.Tensor(tensor, device=device) is not supported.  Use torch.tensor(...) or torch.as_tensor(...) instead.
```

Message (torch 2.13, of torch.FloatTensor; `x.float()`):

```text
TypeError: expected TensorOptions(dtype=float, device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt)) (got TensorOptions(dtype=long int, device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt)))
```

Message (torch 2.13; `torch.tensor(x, device=device)`):

```text
RuntimeError: legacy constructor expects device type: cpu but device type: cuda was passed
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def copied(code: Code) -> Hits:
    for call in code.tensors_of_tensors():
        given = call.args[0]
        plain = len(call.args) == 1 and not call.keywords
        edit = code.replace(call, f"{code.operand(given)}.detach().clone()")
        fix = Fix("Copy it as a tensor", (edit,), "safe") if plain else None
        says = f"`{code.text_of(given)}` is a tensor already: its copy here has no graph"
        # Who makes a tensor of an argument is often given a list, whatever is written there.
        yield code.hit(call, says, fix=fix, sure=not code.only_declared(given))


@pitfall.explains(r"To copy construct from a tensor, it is recommended to use", odds=0.97)
def warned(failure: Failure) -> Hits:
    yield failure.hit(
        "what torch.tensor is given is a tensor already: x.detach().clone() copies it"
    )


MOVED = "torch.Tensor does not move what is a tensor already: x.to(device), and torch.tensor(...) for numbers"
HERE = "torch.FloatTensor and its like make tensors on the CPU: torch.tensor(x, device=device)"
pitfall.answers(
    {
        "Legacy tensor constructor of the form": MOVED,
        "legacy constructor expects device type: cpu": HERE,
    },
    odds=0.97,
)


@pitfall.explains(
    r"expected TensorOptions\(dtype=(?P<wants>[\w: ]{2,30}), .{0,160}?\(got TensorOptions\(dtype=(?P<came>[\w: ]{2,30}), device=(?P<device>\w+)",
    odds=0.97,
)
def made_of_another(failure: Failure) -> Hits:
    wants, came, device = (failure.groups[name] for name in ("wants", "came", "device"))
    yield failure.hit(
        f"what is given is a tensor already, of {came} on {device}, and none of {wants} is made of it: x.float(), x.long(), x.to(...)"
    )
