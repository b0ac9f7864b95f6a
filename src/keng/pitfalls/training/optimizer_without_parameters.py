r"""An optimizer is given nothing that it could optimize.

`model.parameters()` is empty where the layers are kept in a plain list or dict, or made only in forward;
a generator that was already used up, `params = model.parameters()` read twice, is empty too; a filter on
`requires_grad` leaves nothing of a frozen model. What is not a tensor cannot be optimized at all.

Cure: keep layers in `nn.ModuleList` or `nn.ModuleDict`; give `list(model.parameters())` where it is used
more than once.

Bad:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2)]


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # seen: no parameters at all
```

Bad (names beside the parameters):

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.state_dict(), lr=0.1)  # seen: `[group]`
```

Bad (the model itself):

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net, lr=0.1)  # seen: `Linear.parameters()`
```

Bad (without parentheses):

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters, lr=0.1)  # seen: parentheses
```

Bad (a group without its parameters):

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD([{"param": net.parameters()}], lr=0.1)  # seen: `"params"`
```

Good:

```python
import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(2, 2)])
optimizer = torch.optim.SGD(layers.parameters(), lr=0.1)
```

Message (torch 1.0 to 2.13, of what is not frozen; `the filter`):

```text
  File "/code/train.py", line 76, in main
    optimizer = optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=cfg.LR)
  File "/env/lib/python3.10/site-packages/torch/optim/optimizer.py", line 187, in __init__
    raise ValueError("optimizer got an empty parameter list")
ValueError: optimizer got an empty parameter list
```

Message (torch 1.0 to 2.13; `misspelt`):

```text
ValueError: optimizer got an empty parameter list
```

Message (torch 1.0 to 2.13, of two models; `list(a.parameters())`):

```text
TypeError: optimizer can only optimize Tensors, but one of the params is Module.parameters
```

Message (torch 1.0 to 2.5; `pairs`):

```text
TypeError: optimizer can only optimize Tensors, but one of the params is tuple
```

Message (torch 1.0 to 2.13, of two models; `flat`):

```text
TypeError: optimizer can only optimize Tensors, but one of the params is list
```

Message (torch 1.0 to 2.13, of two layers; `of each layer`):

```text
TypeError: optimizer can only optimize Tensors, but one of the params is torch.nn.modules.linear.Linear
```

Message (torch 1.0 to 2.13; `requires_grad=True`):

```text
TypeError: optimizer can only optimize Tensors, but one of the params is numpy.ndarray
```

Message (torch 1.0 to 2.13; `[`):

```text
TypeError: params argument given to the optimizer should be an iterable of Tensors or dicts, but got torch.FloatTensor
```

Message (an older torch; `lr=`):

```text
ValueError: parameter group didn't specify a value of required optimization parameter lr
```

Message (torch 0.1 to 0.3):

```text
TypeError: optimizer can only optimize Variables, but one of the params is torch.FloatTensor
```

Message (torch 0.1 to 0.4.0; `0.4.1`):

```text
ValueError: optimizing a parameter that doesn't require gradients
```

Message (torch 0.4 to 2.13; `a list`):

```text
TypeError: optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change between runs. Please use a list instead.
```

Message (torch 2.6 to 2.13, of clip_grad_norm_; `list(...)`):

```text
UserWarning: `parameters` is an empty generator, no gradient clipping will occur.
```

Message (torch 2.13, of add_param_group; `"params"`):

```text
TypeError: param_group must be a dict, but got <class 'list'>
```

Message (torch 1.0 to 2.0; `"params"`):

```text
AssertionError: param group must be a dict
```
"""

from keng.explain.advice.fits import without_parameters
from keng.explain.advice.steps import among_parameters, no_parameters_in
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"optimizer got an empty parameter list", odds=0.9)
def no_parameters(failure: Failure) -> Hits:
    if (known := without_parameters(failure)) is not None:
        yield failure.hit(*known)
        return
    yield failure.hit(no_parameters_in(failure.line))


@pitfall.explains(
    r"optimizer can only optimize (?:Tensors|Variables), but one of the params is (?P<kind>[\w.]+)",
    odds=0.95,
)
def no_tensor(failure: Failure) -> Hits:
    yield failure.hit(among_parameters(failure.groups["kind"]))


@pitfall.explains(
    r"params argument given to the optimizer should be an iterable of Tensors or dicts", odds=0.95
)
def one_tensor(failure: Failure) -> Hits:
    yield failure.hit("an optimizer takes a list, of one tensor too: [x], or model.parameters()")


TAKERS = (
    "torch/optim/optimizer.py",
    "torch/nn/utils/clip_grad.py",
    "torch/nn/utils/convert_parameters.py",
)


@pitfall.explains(r"(?:^|Error: )'(?P<kind>\w+)' object is not iterable$", odds=0.93)
def no_list(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if not failure.passed_through(*TAKERS):
        return
    if kind in ("method", "function"):
        yield failure.hit(
            "a method is given, and not what it returns: parentheses, model.parameters()"
        )
    elif kind[0].isupper():
        yield failure.hit(f"a model is given, and not its parameters: {kind}.parameters()")


@pitfall.explains(r"(?:^|Error: )'params'$", odds=0.93)
def group_of_nothing(failure: Failure) -> Hits:
    if failure.kind == "KeyError" and failure.passed_through("torch/optim/optimizer.py"):
        yield failure.hit('each group is a dict in which "params" are its parameters')


@pitfall.explains(
    r"parameter group didn't specify a value of required optimization parameter (?P<name>\w+)",
    odds=0.96,
)
def group_of_too_little(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(f"a group has no `{name}`, and the optimizer has none for all: {name}=...")


@pitfall.explains(r"optimizing a parameter that doesn't require gradients", odds=0.95)
def frozen_in_an_old_version(failure: Failure) -> Hits:
    yield failure.hit(
        "before 0.4.1 an optimizer refuses frozen parameters: give it those alone that require gradients"
    )


ORDER = "a set has no order, by which an optimizer knows its parameters: a list, without those that are there twice"
pitfall.answers({"the ordering of tensors in sets will change": ORDER}, odds=0.97)


pitfall.answers(
    {
        "`parameters` is an empty generator": "nothing is clipped, as a generator of parameters is used up after one reading: list(...), or model.parameters() anew",
        "param group must be a dict": 'each group is a dict in which "params" are its parameters',
        "param_group must be a dict": 'each group is a dict in which "params" are its parameters',
    },
    odds=0.95,
)
