r"""A model freezes parts of itself in `train()`, which nobody calls.

Backbones freeze their first stages, or keep their batch norms in eval mode, by an override of `train()`. A module is in
training mode from the start, so that a loop which never calls `model.train()` trains all of it, and nothing tells.

Cure: `model.train()` before the first step; or freeze in `__init__` as well.

Bad:

```python
import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.stage = nn.Linear(4, 4), nn.Linear(4, 4)

    def train(self, mode=True):
        super().train(mode)
        self.stem.requires_grad_(False)
        return self

    def forward(self, x):
        return self.stage(self.stem(x).relu())


torch.manual_seed(0)
model = nn.Sequential(Backbone(), nn.Linear(4, 1))
before = model[0].stem.weight.clone()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()  # seen: the stem learns
```

Proof:

```python
assert not before.equal(model[0].stem.weight)
```

Good:

```python
import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.stage = nn.Linear(4, 4), nn.Linear(4, 4)

    def train(self, mode=True):
        super().train(mode)
        self.stem.requires_grad_(False)
        return self

    def forward(self, x):
        return self.stage(self.stem(x).relu())


torch.manual_seed(0)
model = nn.Sequential(Backbone(), nn.Linear(4, 1))
before = model[0].stem.weight.clone()
model.train()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
assert before.equal(model[0].stem.weight)
```

Fine (frozen from the start; asked to freeze nothing; an override that only tells; one that cannot be copied):

```python
import threading

import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, frozen, early):
        super().__init__()
        self.stages, self.frozen = nn.ModuleList(nn.Linear(4, 4) for _ in range(3)), frozen
        if early:
            self.freeze()

    def freeze(self):
        for stage in self.stages[: self.frozen]:
            stage.eval()
            stage.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.freeze()
        return self

    def forward(self, x):
        for stage in self.stages:
            x = stage(x).relu()
        return x


class Telling(nn.Linear):
    lock = None

    def train(self, mode=True):
        print("mode", mode)
        return super().train(mode)


class Locked(Telling):
    def __init__(self):
        super().__init__(4, 4)
        self.lock = threading.Lock()


torch.manual_seed(0)
for body in (Backbone(2, early=True), Backbone(0, early=False), Telling(4, 4), Locked()):
    model = nn.Sequential(body, nn.Linear(4, 1))
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for step in range(5):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import UncalledTrain

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("train.uncalled")
def learns_what_is_to_be_frozen(seen: UncalledTrain) -> Hits:
    does = f"freeze `{seen.first}` and {seen.frozen - 1} more" if seen.frozen > 1 else ""
    does = does or (
        f"freeze `{seen.first}`" if seen.frozen else f"hold {seen.modes} layers in eval"
    )
    says = f"`{seen.module}.train()` was never called: {seen.owner} would {does} there"
    yield seen.hit(says, frozen=seen.frozen, layers=seen.modes)
