r"""A module is called and has no forward.

Calling a module calls its `forward`. It is missing where it was indented into `__init__`, misspelt
(`foward`), or where a container without one, `nn.ModuleList` or `nn.ModuleDict`, is called as if it were
an `nn.Sequential`.

Cure: define `forward(self, ...)` in the class itself; call the members of a ModuleList one by one.

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

Good:

```python
import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(2, 2)])
out = torch.ones(1, 2)
for layer in layers:
    out = layer(out)
```

Message (torch 1.12 to 2.13; `ParameterList`):

```text
RuntimeError: ParameterList should not be called.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


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
