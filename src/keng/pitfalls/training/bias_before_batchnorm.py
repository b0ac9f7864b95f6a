r"""A convolution has a bias that batch normalization takes away again.

Batch normalization subtracts the mean of each channel, and with it whatever constant the convolution before it has
added. The bias has no effect and its gradient is zero but for rounding; it costs memory, time and a state in the
optimizer, and with weight decay it wanders.

Cure: `bias=False` in a convolution that a batch norm follows directly: the norm has a bias of its own.

Bad:

```python
import torch
from torch import nn

net = nn.Sequential(
    nn.Conv2d(3, 4, 3),  # here: `bias=False`
    nn.BatchNorm2d(4),
    nn.ReLU(),
)
y = net(torch.randn(8, 3, 6, 6))
(y * torch.randn_like(y)).sum().backward()
```

Proof:

```python
assert net[0].bias.grad.abs().max() < 1e-4
assert net[0].weight.grad.abs().max() > 1e-2
```

Bad (as attributes):

```python
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 4, 3, padding=1)  # here: taken away by `norm`
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


block = Block()
y = block(torch.randn(8, 3, 6))
(y * torch.randn_like(y)).sum().backward()
```

Proof:

```python
assert block.conv.bias.grad.abs().max() < 1e-4
```

Good:

```python
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 4, 3, bias=False), nn.BatchNorm2d(4), nn.ReLU())
y = net(torch.randn(8, 3, 6, 6))
y.sum().backward()
```

Fine (something between; another norm; a convolution with a second use):

```python
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.other = nn.Conv2d(4, 4, 1, bias=bias)

    def forward(self, x):
        y = self.conv(x)
        return self.norm(self.conv(x)) + y + self.norm(self.other(y))


net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.BatchNorm2d(4))
groups = nn.Sequential(nn.Conv2d(3, 4, 3), nn.GroupNorm(2, 4))
x = torch.randn(8, 3, 6, 6)
loss = net(x).sum() + groups(x).sum() + Block(bias=False)(x).sum()
loss.backward()
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint")


@pitfall.finds(fixes=True)
def bias_without_effect(code: Code) -> Hits:
    for conv in code.convolutions_before_norm():
        fix = code.add_argument(conv, "bias=False", "Leave the bias out")
        yield code.hit(conv, "the batch norm behind it takes this bias away: bias=False", fix=fix)
