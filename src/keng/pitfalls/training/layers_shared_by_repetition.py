r"""A list of layers is repeated, and all of them are one.

`[block] * n` is a list of n times the same object. A ModuleList or Sequential that is made of it runs that one layer n times: it has
the parameters of one, and the gradients of all places are added up in them. The depth that was meant is not there, without a word.

Cure: a comprehension makes a layer for each place: `[Block() for _ in range(n)]`. Where the weights are to be shared, say so in
a name or a comment.

Bad:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8, depth=4):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)] * depth)  # here: one layer

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


net = Net()
```

Proof:

```python
assert len(net.layers) == 4 and len(list(net.parameters())) == 2
assert net.layers[0] is net.layers[3]
```

Bad (several layers at once; a list that has a name):

```python
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, width)

    def forward(self, x):
        return x + self.up(x)


depth = 3
deep = nn.Sequential(nn.Linear(4, 8), *[nn.Linear(8, 8), nn.ReLU()] * depth)  # here: one
blocks = [nn.Linear(4, 8)] + [Block(8)] * depth  # here: one as well
net = nn.Sequential(*blocks)
```

Proof:

```python
assert len(list(deep.parameters())) == len(list(net.parameters())) == 4
```

Bad (a layer that has a name):

```python
import torch
from torch import nn

layer = nn.TransformerEncoderLayer(8, 2)
encoder = nn.ModuleList([layer] * 6)  # here: one layer in six places
```

Proof:

```python
assert sum(1 for _ in encoder.parameters()) == sum(1 for _ in layer.parameters())
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=8, depth=4):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


net = Net()
```

Fine (no parameters; weights that are shared as is said; a list that becomes no container; once; sizes that are repeated):

```python
import torch
from torch import nn


class SharedEncoder(nn.Module):
    def __init__(self, width, depth, share=False):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)] * depth)


width, depth, tie_layers = 8, 3, True
acts = nn.Sequential(*[nn.ReLU(), nn.Dropout(0.1)] * depth)
# all steps use the same weights
steps = nn.ModuleList([nn.Linear(width, width)] * depth)
if tie_layers:
    heads = nn.ModuleList([nn.Linear(width, 2)] * depth)
else:
    heads = nn.ModuleList([nn.Linear(width, 2) for _ in range(depth)])
one = nn.Sequential(*[nn.Linear(width, width)] * 1)
several = nn.ModuleList([nn.Linear(n, n) for n in [width] * depth])
layer = nn.Linear(width, width)
for each in [layer] * depth:
    x = each(torch.ones(1, width))
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def one_in_all_places(code: Code) -> Hits:
    for product, made, number, chain, anew in code.layers_repeated():
        times, layer = code.text_of(number), code.text_of(made.func)
        says = f"one `{layer}` stands in all {times} places of `{chain}`: they share its weights"
        fix = Fix("Make a layer for each place", (code.replace(product, anew),)) if anew else None
        yield code.hit(product, says, fix)
