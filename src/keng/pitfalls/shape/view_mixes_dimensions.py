r"""Dimensions are to change places, and `view` mixes their elements.

`view` and `reshape` never move an element: they cut the same row of numbers into other pieces. Where scores of (batch, time,
classes) are viewed as (batch, classes, time), each "class" is a run of neighbouring numbers, of several classes and
times. The sizes are those that are wanted, so nothing is raised; what is learned mixes time steps, heads or samples. The
same holds for the heads of an attention: (batch, time, heads * width) is cut into (batch, time, heads, width) first.

Cure: `scores.transpose(1, 2)` or `permute`; heads by `x.view(b, t, heads, width).transpose(1, 2)`, and back by
`x.transpose(1, 2).reshape(b, t, heads * width)`.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
tagger = nn.Linear(8, 5)
criterion = nn.CrossEntropyLoss()
x, tags = torch.randn(4, 7, 8), torch.randint(5, (4, 7))
scores = tagger(x)
viewed = scores.view(4, 5, 7)  # seen: 7 times of 5 scores become 5 runs of 7
loss = criterion(viewed, tags)
loss.backward()
```

Proof:

```python
assert not torch.equal(viewed, scores.transpose(1, 2))
```

Bad (the heads of an attention):

```python
import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width=16, heads=4):
        super().__init__()
        self.heads, self.qkv = heads, nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        x = self.qkv(x).view(b, self.heads, t, c // self.heads)  # here: (2, 4, 6, 4)
        return F.scaled_dot_product_attention(x, x, x).transpose(1, 2).reshape(b, t, c)


torch.manual_seed(0)
attention, x = Attention(), torch.randn(2, 6, 16)
attention(x).square().mean().backward()
```

Proof:

```python
with torch.no_grad():
    changed = x.clone()
    changed[:, 0] += 1
    projected = [attention.qkv(each).view(2, 4, 6, 4) for each in (x, changed)]
    moved = (projected[0] != projected[1]).any(dim=3).any(dim=0)
assert moved[0].any() and not moved[3].any()
```

Bad (channels last):

```python
import torch
from torch import nn

conv, layer = nn.Conv2d(1, 3, 3), nn.Linear(3, 2)
images = conv(torch.randn(2, 1, 8, 10))
n, c, h, w = images.shape
pixels = images.view(n, h, w, c)  # here: three neighbours are no pixel
layer(pixels).sum().backward()
```

Proof:

```python
assert not torch.equal(pixels, images.permute(0, 2, 3, 1))
```

Bad (the heads put together without a transpose):

```python
import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(16, 16)

    def forward(self, weights, values):
        together = (weights @ values).reshape(2, 6, 16)  # seen: (2, 4, 6, 4) before
        return self.out(together)


torch.manual_seed(0)
mixer, weights = Mixer(), torch.rand(2, 4, 6, 6)
values = torch.randn(2, 4, 6, 4, requires_grad=True)
mixer(weights, values).sum().backward()
```

Proof:

```python
heads = weights @ values
assert not torch.equal(heads.reshape(2, 6, 16), heads.transpose(1, 2).reshape(2, 6, 16))
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
tagger = nn.Linear(8, 5)
criterion = nn.CrossEntropyLoss()
x, tags = torch.randn(4, 7, 8), torch.randint(5, (4, 7))
scores = tagger(x)
loss = criterion(scores.transpose(1, 2), tags)
loss.backward()
```

Fine (heads in order; a 1 that changes places; pieces of an image; groups of channels; rows shifted for relative positions):

```python
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
layer, x = nn.Linear(16, 16), torch.randn(2, 6, 16)
heads = layer(x).view(2, 6, 4, 4).transpose(1, 2)
together = (heads.softmax(-1) @ heads.mT @ heads).transpose(1, 2).reshape(2, 6, 16)
gate = together.mean(1, keepdim=True).view(2, 16, 1)
(gate.view(2, 1, 16) * together).sum().backward()
conv = nn.Conv2d(3, 8, 3, padding=1)
image = conv(torch.randn(2, 3, 8, 8))
pieces = image.view(2, 8, 4, 2, 4, 2).transpose(3, 4).reshape(2, 8, 16, 4)
grouped = image.view(2, 8, 8, 8).view(2, 4, -1)
(pieces.sum() + grouped.std(2).sum()).backward()
distances = layer(x) @ layer(torch.randn(2, 16, 6).mT).mT
shifted = F.pad(distances, (1, 0)).view(2, 7, 6)[:, 1:].reshape(2, 6, 6)
shifted.sum().backward()
```

Fine (sizes in their order; dimensions that have changed places before; sizes of something else; two heights):

```python
import torch
from torch import nn

torch.manual_seed(0)
layer, heads = nn.Linear(16, 16), 4
x, other = torch.randn(2, 6, 16), torch.randn(2, 16, 6)
b, t, c = x.shape
same = x.view(b, t, c)
split = layer(x).view(b, t, heads, c // heads).transpose(1, 2)
turned = x.transpose(1, 2)
turned = turned.reshape(b, c, t)
theirs = other.view(b, c, t)
x = x.permute(2, 0, 1)
first = x.reshape(c, b, t)
scores = (split @ split.mT).view(b, heads, t, t)
image = torch.randn(2, 3, 8, 8)
n, c, w, h = image.size()
squares = image.reshape(n, c, h, w)
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.run.moments import LossGraph
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def sizes_in_another_order(code: Code) -> Hits:
    for call, given, heads in code.views_mixing():
        text = shorten(code.text_of(call), 60, placeholder=" ...")
        named = "puts heads before the time steps of" if heads else "reorders the sizes of"
        cure = "split the last dimension, then transpose" if heads else "transpose the dimensions"
        yield code.hit(call, f"`{text}` {named} `{given.id}` and moves no element: {cure}")


@pitfall.watches("loss.graph")
def elements_in_their_old_order(graph: LossGraph) -> Hits:
    for view in graph.mixed:
        text = shorten(view.call, 60, placeholder=" ...")
        says = f"`{text}` makes {view.made} of {view.given} and moves no element"
        cure = "transpose the dimensions, after the split or before the join of heads"
        yield graph.hit(f"{says}: {cure}", where=view.where)
