r"""A module holds itself.

A module registers what is put on it as its part. Where a part holds the whole, as `self.child.parent =
self` does, everything that goes through all parts, `train`, `to`, `state_dict`, printing, goes round
without an end until Python stops it.

Cure: keep a reference that is no part in a way that does not register it, as in a list,
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

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

THROUGH_ALL_PARTS = frozenset(
    ["train", "_apply", "apply", "state_dict", "__repr__", "named_modules", "load", "share_memory"]
)


@pitfall.explains(r"maximum recursion depth exceeded", odds=0.9)
def round_and_round(failure: Failure) -> Hits:
    deepest = [f.function for f in failure.frames if f.path.endswith("torch/nn/modules/module.py")]
    through = THROUGH_ALL_PARTS.intersection(deepest)
    if len(deepest) > 2 and through:
        layer = failure.live.layer
        kind = f"a `{layer.kind}`" if layer else "a module"
        yield failure.hit(
            f"{kind} holds itself through its parts: `{min(through)}` goes round in it"
        )
