r"""A tensor is computed with or compared to what is no number and no tensor.

`+`, `@`, `<` and the others take tensors and numbers. None comes from a function that ends without a return and from a value that was
never set, an array of NumPy from what was not converted, a module where it is named and not called. A text is joined to texts alone.

Cure: return the loss; `torch.as_tensor(array)`; `layer(x)` instead of `layer`; `f"{x.item():.3f}"` in a text.

Bad (None in a sum):

```python
import torch


def penalty(x):
    x.abs().sum()


x = torch.ones(3)
loss = x.mean() + penalty(x)  # seen: `penalty` (line 4) has no return
```

Bad (what a module was never given):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.memory = None

    def forward(self, x):
        return self.fc(x) + self.memory  # seen: `self.memory`, which is None: line 9


Net()(torch.randn(3, 4))
```

Bad (an array and a tensor):

```python
import numpy as np
import torch

weights = torch.ones(3, requires_grad=True)
score = np.ones(3) @ weights  # seen: `torch.as_tensor`
```

Bad (a layer for its result):

```python
import torch
from torch import nn

x = torch.ones(2, 3)
y = x + nn.Linear(3, 3)  # seen: `Linear(...)(x)`
```

Bad (a layer and a number):

```python
import torch
from torch import nn

y = 2 * nn.ReLU(torch.ones(2))  # seen: `ReLU(...)(x)`
```

Bad (a text and a tensor):

```python
import torch

loss = torch.ones(())
line = "loss " + loss  # seen: `str(x)`
```

Bad (smaller than None):

```python
import torch

best = None
loss = torch.ones(())
if loss < best:  # seen: `best`, which is None: line 3
    best = loss
```

Bad (a number smaller than None):

```python
import torch


class Tracker:
    def __init__(self):
        self.best = None

    def is_better(self, loss):
        return loss < self.best  # seen: `self.best`, which is None: line 6


Tracker().is_better(torch.ones(()).item())
```

Good:

```python
import numpy as np
import torch
from torch import nn

x = torch.ones(3, requires_grad=True)
score = torch.as_tensor(np.ones(3, dtype="float32")) @ x
y = x + nn.Linear(3, 3)(x)
line = f"loss {score.item():.3f}"
```

Message (torch 2.13; `a text`):

```text
RuntimeError: Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class 'str'>.
```

Message (torch 1.0 to 2.13, of losses; a loss is computed with None):

```text
---> 31     total_loss = pixel_loss + style_loss

TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.torch_names import MODULES

pitfall = Pitfall(__name__, __doc__, severity="error")

OPERANDS = {
    "NoneType": "None: what came before returned nothing, or was never set",
    "ndarray": "an array: torch.as_tensor(x)",
    "list": "a list: torch.as_tensor(x), or torch.stack for a list of tensors",
    "tuple": "a tuple: take the part that is meant",
    "str": "a text: str(x) to join them, float(text) to compute",
    "dict": "a dict: take the entry that is meant",
}


LOSS = re.compile(r"\b\w*(?:loss|criterion)\w*\b", re.IGNORECASE)
OF_LOSSES = frozenset({"NoneType", "tuple"})


@pitfall.explains(
    r"unsupported operand type\(s\) for .{1,20}: '(?P<one>[\w.]+)' and '(?P<other>[\w.]+)'",
    r"not supported between instances of '(?P<one>[\w.]+)' and '(?P<other>[\w.]+)'",
    r"can only concatenate (?P<one>\w+) \(not \"(?P<other>Tensor|Parameter)\"\)",
    odds=0.93,
)
def two_operands(failure: Failure) -> Hits:
    kinds = failure.groups["one"], failure.groups["other"]
    tensors = [kind in ("Tensor", "Parameter") for kind in kinds]
    layers = [kind for kind in kinds if kind in MODULES]
    if layers and not any(tensors):
        yield failure.hit(
            f"one of the two is a {layers[0]}, and not its result: {layers[0]}(...)(x)"
        )
    elif any(tensors) and not all(tensors):
        came = kinds[tensors.index(False)].rpartition(".")[2]
        known = nothing(failure) if came == "NoneType" else ""
        what = (
            f"a {came}, and not its result: {came}(...)(x)"
            if came in MODULES
            else known or OPERANDS.get(came, f"a {came}")
        )
        yield failure.hit(f"one of the two is a tensor, the other {what}")
    elif LOSS.search(failure.line or failure.around) and (
        odd := sorted(OF_LOSSES.intersection(kinds))
    ):
        known = nothing(failure) if odd == ["NoneType"] else ""
        yield failure.hit(
            f"a loss is computed with {known or OPERANDS[odd[0]]}",
            sure=failure.written_for_torch or bool(known),
        )


def nothing(failure: Failure) -> str:
    """What is None, as the user calls it, and what makes it so."""
    names = failure.live.nothing
    made = failure.mended("made_none", *names) if len(names) < 2 else None
    if made is None:
        return f"`{names[0]}`, which is None" if len(names) == 1 else ""
    name, line, function = made
    why = f"`{function}` (line {line}) has no return" if function else f"line {line} sets it so"
    return f"`{name}`, which is None: {why}"


@pitfall.explains(
    r"Tensor\.__contains__ only supports Tensor or scalar, but you passed in a <class '(?P<came>[\w.]+)'>",
    odds=0.96,
)
def looked_for(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(
        f"`in` looks for a number in a tensor, and gets {OPERANDS.get(came, f'a {came}')}"
    )
