r"""A module holds itself, or its forward calls itself.

A module registers what is put on it as its part. Where a part holds the whole, as `self.child.parent =
self` does, everything that goes through all parts, `train`, `to`, `state_dict`, printing, goes round
without an end until Python stops it. So does a `forward` that says `self(x)` or `self.forward(x)` where it means one of its layers.

Cure: `self.fc(x)`; keep a reference that is no part in a way that does not register it, as in a list,
`self.parent = [parent]`, or pass it as an argument; a higher recursion limit mends nothing.

Bad:

```python
from torch import nn


class Block(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.fc = nn.Linear(4, 4)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(self)


net = Net()
net.eval()  # seen: the block holds the net that holds it
```

Bad (a forward that calls itself):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self(x)  # seen: calls itself


y = Net()(torch.ones(1, 2))
```

Good:

```python
from torch import nn


class Block(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = [net]
        self.fc = nn.Linear(4, 4)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(self)


net = Net()
net.eval()
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

AGAIN = re.compile(r"\bself(?:\.forward)?\(")
THROUGH_ALL_PARTS = frozenset(
    ["train", "_apply", "apply", "state_dict", "__repr__", "named_modules", "load", "share_memory"]
)


@pitfall.explains(r"maximum recursion depth exceeded", odds=0.9)
def round_and_round(failure: Failure) -> Hits:
    deepest = [f.function for f in failure.frames if f.path.endswith("torch/nn/modules/module.py")]
    innermost = failure.frames[-1] if failure.frames else None
    forwards = [f for f in failure.frames if f.function == "forward" and AGAIN.search(f.text)]
    if forwards and (deepest or forwards[-1] is innermost):
        yield failure.hit(
            f"the forward calls itself: `{forwards[-1].text}`, where a layer of `self` is meant"
        )
        return
    through = THROUGH_ALL_PARTS.intersection(deepest)
    if len(deepest) > 2 and through:
        layer = failure.live.layer
        kind = f"a `{layer.kind}`" if layer else "a module"
        yield failure.hit(
            f"{kind} holds itself through its parts: `{min(through)}` goes round in it"
        )
