r"""A subclass of `torch.Tensor` lacks what a copy or a parameter of it takes.

`copy.deepcopy` makes its copy by `new_empty()`, or `clone()` of a wrapper, and `nn.Parameter(x)` its parameter by `detach()`: each must give back an object of the same class. A
plain subclass fails in the first already, since a tensor's methods are called there with subclasses turned off. One whose `__torch_dispatch__` unwraps its arguments and does not wrap
the result again fails in both. So a model is not copied, for an average of its weights or for EMA, though it computes.

Cure: `def __deepcopy__(self, memo): return self.clone()` in a plain subclass; in `__torch_dispatch__` wrap what is given back, for `aten.detach` and `aten.clone` at least.

Bad (copied):

```python
import copy

import torch


class Named(torch.Tensor):
    pass


other = copy.deepcopy(torch.ones(2).as_subclass(Named))  # seen: `new_empty()`
```

Bad (made a parameter):

```python
import torch
from torch import nn


class Scaled(torch.Tensor):
    @staticmethod
    def __new__(cls, data):
        return torch.Tensor._make_wrapper_subclass(cls, data.shape)

    def __init__(self, data):
        self.data_ = data

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        return func(args[0].data_, *args[1:], **(kwargs or {}))


weight = nn.Parameter(Scaled(torch.ones(2)))  # seen: `Scaled.detach()`
```

Good:

```python
import copy

import torch
from torch import nn


class Named(torch.Tensor):
    def __deepcopy__(self, memo):
        return self.clone()


weight = nn.Parameter(torch.ones(2).as_subclass(Named))
other = copy.deepcopy(weight)
assert type(other) is Named
```

Message (torch 1.10 to 2.13, of a wrapper; `clone()`):

```text
RuntimeError: The default implementation of __deepcopy__() for wrapper subclasses only works for subclass types that implement clone() and for which cloning returns another instance of the same subclass. You should either properly implement clone() for your subclass or override __deepcopy__() if it is intended behavior for clone() to return an instance of a different type.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"default implementation of __deepcopy__\(\) for (?:non-)?wrapper subclasses only works for subclass types that implement (?P<method>\w+)\(\)",
    odds=0.97,
)
def copied_as_another_class(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['method']}() of this subclass of Tensor gives another class, so it is not copied: wrap its result again, or define __deepcopy__"
    )


@pitfall.explains(
    r"Creating a Parameter from an instance of type (?P<kind>\w+) requires that detach\(\) returns an instance of the same type, but return "
    r"type (?P<came>\w+) was found",
    odds=0.97,
)
def detached_as_another_class(failure: Failure) -> Hits:
    kind, came = failure.groups["kind"], failure.groups["came"]
    yield failure.hit(
        f"nn.Parameter keeps the class, and `{kind}.detach()` gives a {came}: wrap what __torch_dispatch__ gives back"
    )
