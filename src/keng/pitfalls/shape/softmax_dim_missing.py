r"""A softmax is not told along which dimension to go.

Without `dim`, softmax guesses from the number of dimensions, by a rule of 2017 that was meant for images: dimension 0
for tensors of one or three dimensions, dimension 1 for two, four and more. For a batch of sequences, `(batch, time,
classes)`, that is the batch: the samples of a batch share their probabilities, and the loss still falls. There is a
warning, once.

Cure: `dim=-1` for the last dimension, which is nearly always meant; `dim=1` for maps of `(batch, classes, h, w)`.

Bad:

```python
import warnings

import torch
import torch.nn.functional as F

scores = torch.randn(2, 5, 3)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    p = F.softmax(scores)  # here: `dimension 0` of three
```

Proof:

```python
assert torch.allclose(p.sum(0), torch.ones(5, 3))
assert not torch.allclose(p.sum(-1), torch.ones(2, 5))
```

Bad (as a layer):

```python
import warnings

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 3), nn.LogSoftmax())  # here: `guesses`
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    y = net(torch.randn(2, 4))
```

Proof:

```python
assert "Implicit dimension choice" in str(said[0].message)
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

p = F.softmax(torch.randn(2, 5, 3), dim=-1)
net = nn.Sequential(nn.Linear(4, 3), nn.LogSoftmax(dim=1))
y = net(torch.randn(2, 4))
```

Fine (told by position or from outside; a softmax of one's own; over maps):

```python
import torch
import torch.nn.functional as F
from torch import nn


def softmax(x):
    return x.exp() / x.exp().sum()


options = {"dim": 1}
x = torch.randn(2, 3)
y = F.softmax(x, 1) + F.softmax(x, **options) + softmax(x) + x.softmax(-1)
z = nn.Softmax2d()(torch.randn(2, 3, 4, 4)) + nn.Softmax(1)(torch.randn(2, 3, 4, 4))
```

Message (torch 1.0 to 2.13):

```text
/home/u/net.py:31: UserWarning: Implicit dimension choice for softmax has been deprecated. Change the call to include dim=X as an argument.
  return F.softmax(x)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")

FUNCTIONS = tuple(f"torch.nn.functional.{n}" for n in ("softmax", "log_softmax", "softmin"))
LAYERS = ("torch.nn.Softmax", "torch.nn.LogSoftmax", "torch.nn.Softmin")
GUESSED = {0: 0, 1: 0, 2: 1, 3: 0}


@pitfall.finds(fixes=True)
def guessed_by_a_function(code: Code) -> Hits:
    for call in code.calls_to(*FUNCTIONS):
        if code.argument(call, "dim", 1) is not None:
            continue
        known = code.layout(code.argument(call, "input", 0))
        says = "without dim this guesses: 0 for one or three dimensions, else 1"
        if known is not None:
            dims = len(known.shape)
            says = f"without dim this goes along dimension {GUESSED.get(dims, 1)} of {dims}"
        fix = code.add_argument(call, "dim=-1", "Go along the last dimension") if known else None
        yield code.hit(call, says, fix=fix)


@pitfall.finds
def guessed_by_a_layer(code: Code) -> Hits:
    for call in code.calls_to(*LAYERS):
        if code.argument(call, "dim", 0) is None:
            says = "without dim this guesses: 0 for one or three dimensions, else 1"
            yield code.hit(call, says)


@pitfall.explains(r"Implicit dimension choice for (?P<name>\w+) has been deprecated", odds=0.97)
def guessed(failure: Failure) -> Hits:
    name = failure.groups["name"]
    says = f"{name} guesses its dimension: 0 for one or three dimensions, else 1"
    yield failure.hit(f"{says}; dim=-1 for scores that come last, dim=1 for (N, C, ...)")
