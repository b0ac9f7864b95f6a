r"""Weights are initialized more than once, at each level of the model.

Where every block applies the initialization to the whole of itself, and the model does so again, the deepest
layers are drawn once for each level that they lie in. That takes time, changes what a seed gives, and undoes
what came between: special values of a block, or weights that a part of the model has loaded.

Cure: initialize in one place, at the end of the outermost `__init__`.

Bad:

```python
import torch
from torch import nn


def initialize(module):
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.02)  # seen: a second time


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.out = nn.Linear(4, 4), nn.Linear(4, 4, bias=False)
        self.apply(initialize)
        nn.init.zeros_(self.out.weight)

    def forward(self, x):
        return x + self.out(self.fc(x).relu())


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), Block())
        self.apply(initialize)

    def forward(self, x):
        return self.blocks(x)


torch.manual_seed(0)
model = Model()
begun_as_identity = model(torch.ones(1, 4)).equal(torch.ones(1, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 4)).square().mean().backward()
optimizer.step()
```

Proof:

```python
assert not begun_as_identity
```

Good:

```python
import torch
from torch import nn


def initialize(module):
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.02)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.out = nn.Linear(4, 4), nn.Linear(4, 4, bias=False)

    def forward(self, x):
        return x + self.out(self.fc(x).relu())


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), Block())
        self.apply(initialize)
        for block in self.blocks:
            nn.init.zeros_(block.out.weight)

    def forward(self, x):
        return self.blocks(x)


torch.manual_seed(0)
model = Model()
assert model(torch.ones(1, 4)).equal(torch.ones(1, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 4)).square().mean().backward()
optimizer.step()
```

Fine (shared weights, which are met twice; special values afterwards; a draw until it pleases; several models; anew between two trainings):

```python
import torch
from torch import nn


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(8, 4), nn.Linear(4, 8, bias=False)
        self.out.weight = self.words.weight
        self.apply(self.initialize)
        for p in self.parameters():
            nn.init.normal_(p, std=0.01)

    def initialize(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)

    def forward(self, x):
        return self.out(self.words(x))


torch.manual_seed(0)
for trial in range(2):
    model = Language()
    while model.out.weight.abs().max() > 0.03:
        nn.init.normal_(model.out.weight, std=0.01)
    for training in range(2):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        model(torch.arange(8)).square().mean().backward()
        optimizer.step()
        model.apply(model.initialize)
```

Fine (a function of one's own that draws what it is given, for all layers and then anew for some):

```python
import torch
from torch import nn


def drawn(tensor, std):
    with torch.no_grad():
        return nn.init.normal_(tensor, std=std)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.out = nn.Linear(4, 4), nn.Linear(4, 1)
        self.apply(self.initialize)
        drawn(self.out.weight, 0.002)

    def initialize(self, module):
        if isinstance(module, nn.Linear):
            drawn(module.weight, 0.02)

    def forward(self, x):
        return self.out(self.body(x))


torch.manual_seed(0)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.randn(8, 4)).square().mean().backward()
optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import DrawnAgain

pitfall = Pitfall(__name__, __doc__, severity="hint")


@pitfall.watches("weights.again")
def drawn_at_each_level(seen: DrawnAgain) -> Hits:
    others = f" and {seen.count - 1} more parameters" if seen.count > 1 else ""
    says = f"`{seen.function}` draws `{seen.first}`{others} again, up to {seen.times} times"
    yield seen.hit(f"{says}: on {seen.times} ways to here", count=seen.count, times=seen.times)
