r"""A shortcut is changed in place before it is added.

`identity = x` is a second name, no copy. An activation with `inplace=True` that is then applied to `x` writes over both,
and `out + identity` adds the activated input: what is below zero never passes the block. PyTorch raises only
where backward needs the numbers that were written over; batch norm, convolutions and linear layers do not need what
they gave, so nothing is said and the network trains, worse.

Cure: `inplace=False` for the first activation of a block; the others save the memory.

Bad:

```python
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.relu = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        identity = x
        out = self.conv1(self.relu(x))  # here: `identity` is the same tensor
        out = self.conv2(self.relu(out))
        return out + identity


torch.manual_seed(0)
stem, block = nn.Conv2d(3, 4, 1), Block(4)
features = stem(torch.randn(2, 3, 8, 8))
before = features.detach().clone()
out = block(features)
out.mean().backward()
```

Proof:

```python
assert (before < 0).any() and not (features < 0).any()
```

Bad (without a second name):

```python
import torch
import torch.nn.functional as F
from torch import nn


class ResidualUnit(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        out = F.relu(x, inplace=True)  # here: it is added below
        out = self.second(F.relu(self.first(out), inplace=True))
        return out + x


torch.manual_seed(0)
features = torch.randn(2, 8)
before = features.clone()
out = ResidualUnit(8)(features)
```

Proof:

```python
assert not torch.equal(before, features)
```

Good:

```python
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first, self.relu = nn.ReLU(), nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        identity = x
        out = self.conv1(self.first(x))
        out = self.conv2(self.relu(out))
        return out + identity


torch.manual_seed(0)
stem, block = nn.Conv2d(3, 4, 1), Block(4)
block(stem(torch.randn(2, 3, 8, 8))).mean().backward()
```

Fine (what was activated is meant; a copy; something else is activated; a sum that is cut at zero, as the next block's input then is; no sum of both):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.act, self.conv, self.norm = (
            nn.ReLU(inplace=True),
            nn.Conv2d(4, 4, 1),
            nn.BatchNorm2d(4),
        )

    def activated_first(self, x):
        x = self.act(x)
        identity = x
        return self.conv(x) + identity

    def copied(self, x):
        identity = x.clone()
        return self.conv(self.act(x)) + identity

    def classic(self, x):
        identity = x
        out = self.norm(self.conv(x))
        out = self.act(out)
        out = self.conv(out)
        out += identity
        return self.act(out)

    def published(self, x):
        out = self.act(self.norm(x))
        return self.conv(out) + x

    def already_cut(self, x):
        identity = x
        out = self.conv(self.act(x))
        return F.relu(out + identity)

    def changed_on_purpose(self, x):
        out = self.conv(x)
        F.relu_(out)
        return self.norm(out) + out

    def unrelated(self, x, y):
        out = self.act(x)
        return out, x + y

    def forward(self, x):
        return self.published(self.classic(self.copied(self.activated_first(self.conv(x)))))


torch.manual_seed(0)
Blocks()(torch.randn(2, 4, 8, 8)).mean().backward()
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def kept_under_a_second_name(code: Code) -> Hits:
    for call, shortcut in code.shortcuts_overwritten():
        says = f"`{code.text_of(call)}` writes over `{shortcut.id}`"
        yield code.hit(call, f"{says}, which is added on line {shortcut.lineno} as if it had not")
