r"""A property of a tensor is set, which can only be read.

`x.shape`, `x.dtype`, `x.device`, `x.grad_fn` and `x.is_leaf` tell what a tensor is. In NumPy an assignment to `shape` reshapes an array; a tensor is
made anew instead, by a method that returns another one. Of these properties only `requires_grad`, `grad` and `data` are set, and
`requires_grad` only to True or False.

Cure: `x = x.reshape(...)`, `x = x.to(dtype)`, `x = x.to(device)`, `x = x.detach()` for a leaf.

Bad (as in NumPy):

```python
import torch

x = torch.ones(3, 4)
x.shape = (4, 3)  # seen: `x.reshape(...)`
```

Bad (no truth value):

```python
import torch

x = torch.ones(3, 4)
x.requires_grad = "yes"  # seen: `True`
```

Good:

```python
import torch

x = torch.ones(3, 4)
x = x.reshape(4, 3)
x.requires_grad = True
```

Message (torch 2.13; `x.to(dtype)`):

```text
AttributeError: attribute 'dtype' of 'torch._C.TensorBase' objects is not writable
```

Message (torch 2.13; `x.detach()`):

```text
AttributeError: attribute 'grad_fn' of 'torch._C.TensorBase' objects is not writable
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

INSTEAD = {
    "shape": "x = x.reshape(...)",
    "dtype": "x = x.to(dtype)",
    "device": "x = x.to(device)",
    "is_leaf": "x = x.detach()",
    "grad_fn": "x = x.detach()",
}


@pitfall.explains(
    r"attribute '(?P<name>\w{1,40})' of 'torch\._C\.TensorBase' objects is not writable", odds=0.97
)
def only_read(failure: Failure) -> Hits:
    name = failure.groups["name"]
    instead = INSTEAD.get(name, "a method makes another tensor")
    yield failure.hit(f"`{name}` of a tensor is only read: {instead}")


pitfall.answers(
    {"requires_grad must be a bool": "requires_grad is True or False, and no text or number"},
    odds=0.97,
)
