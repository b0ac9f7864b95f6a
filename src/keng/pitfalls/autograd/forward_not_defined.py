r"""A module is called and has no forward.

Calling a module calls its `forward`. It is missing where it was indented into `__init__`, misspelt
(`foward`), or where a container without one, `nn.ModuleList`, `nn.ModuleDict` or a plain list, is called as if it were
an `nn.Sequential`. A comma at the end of `self.fc = nn.Linear(2, 2),` makes a tuple of it.

Cure: define `forward(self, ...)` in the class itself; call the members of a list one by one, or make it
`nn.Sequential(*layers)`.

Bad:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def foward(self, x):
        return self.fc(x)


out = Net()(torch.ones(1, 2))  # seen: `Net`
```

Bad (a list of modules):

```python
import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(2, 2)])
out = layers(torch.ones(1, 2))  # seen: `call its members one by one`
```

Bad (a comma too many):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = (nn.Linear(2, 2),)

    def forward(self, x):
        return self.fc(x)  # seen: `self.fc` is a tuple


y = Net()(torch.ones(1, 2))
```

Bad (a plain list):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2)]

    def forward(self, x):
        return self.layers(x)  # seen: `nn.Sequential(*layers)`


y = Net()(torch.ones(1, 2))
```

Bad (a place without a layer):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2))
net.append(nn.ReLU())
net[1] = None
y = net(torch.ones(1, 2))  # seen: `nn.Sequential`
```

Good:

```python
import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(2, 2)])
out = torch.ones(1, 2)
for layer in layers:
    out = layer(out)
```

Message (torch 1.0 to 2.13, from a notebook; `nn.Sequential(*layers)`):

```text
      9     def forward(self, x):
---> 10         return self.layers(x)

TypeError: 'list' object is not callable
```

Message (torch 1.12 to 2.13; `ParameterList`):

```text
RuntimeError: ParameterList should not be called.
```

Message (torch 1.6 to 1.10; no forward):

```text
  File "train.py", line 5, in <module>
    y = net(x)
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 727, in _call_impl
    result = self.forward(*input, **kwargs)
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 201, in _forward_unimplemented
    raise NotImplementedError
NotImplementedError
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CALLS = "torch/nn/modules/module.py"
LAYERS = re.compile(
    r"self\.(?:\w+_)?(?:layers?|blocks?|convs?|linears|fcs?|lstms?|heads|encoders|decoders|stages)\d?"
)
WHY = {
    "list": "a list, which cannot be called: one by one, or `nn.Sequential(*layers)`",
    "tuple": "a tuple, as a comma at the end of the line that sets it makes one",
    "NoneType": "None: it was not made, as an option may have it",
}


@pitfall.explains(
    r"Module \[(?P<kind>\w+)\] is missing the required \"forward\" function", odds=0.97
)
def without_forward(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if kind in ("ModuleList", "ModuleDict"):
        yield failure.hit(
            f"a {kind} cannot be called: call its members one by one, or use nn.Sequential"
        )
    else:
        yield failure.hit(f"`{kind}` defines no forward: misspelt, or indented into __init__")


@pitfall.explains(r"\b(?P<kind>Parameter(?:List|Dict)) should not be called", odds=0.97)
def parameters_called(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} holds parameters and computes nothing: take one by its index or name"
    )


@pitfall.explains(r"'(?P<kind>list|tuple|NoneType)' object is not callable", odds=0.94)
def layer_that_is_none(failure: Failure) -> Hits:
    called = set(re.findall(r"\b(self\.\w+)(?=\()", failure.line or failure.around))
    listed = called and LAYERS.fullmatch(min(called)) and failure.groups["kind"] == "list"
    inside = failure.in_forward or "def forward(self" in failure.around or listed
    if len(called) == 1 and inside:
        yield failure.hit(f"`{called.pop()}` is {WHY[failure.groups['kind']]}")
    elif failure.frames and failure.frames[-1].path.endswith("container.py"):
        yield failure.hit(
            "there is no layer at a place of the nn.Sequential: nn.Identity() for none"
        )


@pitfall.explains(r"\bNotImplementedError\b", odds=0.94)
def without_forward_in_old_versions(failure: Failure) -> Hits:
    last = failure.frames[-1] if failure.frames else None
    if last is not None and last.posix.endswith(CALLS) and "raise" in last.text:
        yield failure.hit(
            "the class that is called defines no forward: misspelt, or indented into __init__, or it is an nn.ModuleList, whose members are called one by one"
        )
