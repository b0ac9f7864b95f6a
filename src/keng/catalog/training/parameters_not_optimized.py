r"""A layer is put into the model after the optimizer was made.

An optimizer holds the parameters that it was given, not the model. A layer that is put in or replaced
afterwards gets gradients and never moves, and the layer it replaced is trained for nothing; no error
tells.

Cure: change the model first and make the optimizer last, or `optimizer.add_param_group(...)`.

Bad:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.head = nn.Linear(4, 2)  # here: the optimizer has the old head
before = net.head.weight.clone()
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()
```

Proof:

```python
assert torch.equal(before, net.head.weight)
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 10)

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
net.head = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(8, 4)).square().mean().backward()
optimizer.step()
```

Fine (added afterwards; made anew; another model; an activation; a layer wrapped in itself):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head, self.act = nn.Linear(4, 4), nn.Linear(4, 2), nn.ReLU()


net, other, third, fourth = Net(), Net(), Net(), Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.head = nn.Linear(4, 2)
optimizer.add_param_group({"params": net.head.parameters()})
optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
third.head = nn.Linear(4, 3)
other.act = nn.GELU()
other.body = nn.Sequential(other.body, nn.ReLU())
fourth_optimizer = torch.optim.SGD(fourth.parameters(), lr=0.1)
fourth.head = nn.Linear(4, 3)
fourth_optimizer = torch.optim.SGD(fourth.parameters(), lr=0.1)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def layer_put_in_too_late(code: Code) -> Hits:
    for made, model, layer in code.layers_after_optimizer():
        name, line = code.text_of(layer), code.line_of(made)
        says = f"`{name}` is not in the optimizer, which took the parameters of `{model}` on line {line}"
        yield code.hit(layer, says)
