r"""A model of float32 computes in float64.

NumPy's numbers are float64, and `torch.from_numpy` keeps them so. A tensor of these among float32 ones makes
the result float64, and all that is computed from it: twice the memory, on most GPUs a fraction of the speed,
and no error tells, until a layer refuses its input.

Cure: `torch.from_numpy(a).float()`, or `.to(x.dtype)`; constants as buffers of the model, which move and are
cast with it.

Bad:

```python
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.scale = torch.from_numpy(np.array([1.0, 0.5, 0.5, 0.25]))

    def forward(self, x):
        return (self.fc(x) * self.scale).sum(1)  # seen: `float64`


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Bad (weights are cast to what comes in):

```python
import numpy as np
import torch
from torch import nn

mean = torch.from_numpy(np.full(4, 0.5))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(2, 4))

    def forward(self, x):
        x = x - mean
        return x @ self.weight.t().to(x.dtype)  # seen: a product in float64


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Good:

```python
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.register_buffer("scale", torch.from_numpy(np.array([1.0, 0.5, 0.5, 0.25])).float())

    def forward(self, x):
        return (self.fc(x) * self.scale).sum(1)


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (casts, of weights too, a sum in double precision, a model of float64, Python's own numbers):

```python
import torch
from torch import nn


class Careful(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        y = 0.5 * self.fc(x)
        y = (y.double() @ self.fc.weight.double()).to(y.dtype)
        return y.double().logsumexp(1) + y.sum(1, dtype=torch.float64)


torch.manual_seed(0)
for net, dtype in ((Careful(), torch.float32), (Careful().double(), torch.float64)):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        optimizer.zero_grad()
        net(torch.randn(8, 4, dtype=dtype)).square().mean().backward()
        optimizer.step()
```

Message (torch 1.12 to 2.13, on a Mac):

```text
TypeError: Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. Please use float32 instead.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LossGraph

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.explains(r"Cannot convert a MPS Tensor to float64 dtype", odds=0.95)
def no_float64_on_this_device(failure: Failure) -> Hits:
    wide = [o for o in failure.live.operands if o.dtype == "float64"]
    name = f"`{wide[0].name}`" if len(wide) == 1 else "a tensor"
    yield failure.hit(
        f"{name} is float64, as what comes from NumPy is, and Metal has none: .float() before it is moved"
    )


@pitfall.watches("loss.graph")
def widened_by_an_operand(graph: LossGraph) -> Hits:
    wide = graph.widened
    if wide is not None:
        says = f"an operand makes float64 of what `{wide.module}` computes in float32"
        yield graph.hit(says, where=wide.where, operation=wide.operation)
