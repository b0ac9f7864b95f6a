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
optimizer = torch.optim.SGD(net.state_dict(), lr=0.1)  # seen: `str`
```

Good:

```python
import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(2, 2)])
optimizer = torch.optim.SGD(layers.parameters(), lr=0.1)
```

Message (torch 1.0 to 2.13; `[`):

```text
TypeError: params argument given to the optimizer should be an iterable of Tensors or dicts, but got torch.FloatTensor
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"optimizer got an empty parameter list", odds=0.9)
def no_parameters(failure: Failure) -> Hits:
    if failure.live.hidden:
        names = ", ".join(f"`{name}`" for name in failure.live.hidden[:3])
        yield failure.hit(f"the layers in {names} are not seen: nn.ModuleList, or nn.ModuleDict")
        return
    yield failure.hit(
        "there are no parameters: layers in a plain list are not seen (nn.ModuleList), a generator is used "
        "up once it was read, or all are frozen"
    )


@pitfall.explains(
    r"optimizer can only optimize Tensors, but one of the params is (?P<kind>[\w.]+)", odds=0.95
)
def no_tensor(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(f"a {kind} stands among the parameters: give model.parameters()")


@pitfall.explains(
    r"params argument given to the optimizer should be an iterable of Tensors or dicts", odds=0.95
)
def one_tensor(failure: Failure) -> Hits:
    yield failure.hit("an optimizer takes a list, of one tensor too: [x], or model.parameters()")
