r"""A forward ends without a return.

A function without `return` gives None, and so does a module whose `forward` computes all and returns nothing. The call `model(x)` raises
nothing; what is done with its result does: None has no shape, no parts and no `backward`.

Cure: `return x` as the last line of `forward`, indented so that it belongs to the function and not to a branch or a loop in it.

Bad (a part of the result):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        x = self.fc(x)


model = Net()
first = model(torch.ones(4, 3))[0]  # seen: `model(torch.ones(4, 3))` is None
```

Bad (two results):

```python
import torch
from torch import nn


class Encoder(nn.Module):
    def forward(self, x):
        out, state = x, x.sum()


encoder = Encoder()
out, state = encoder(torch.ones(3))  # seen: `encoder(torch.ones(3))`
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


model = Net()
first = model(torch.ones(4, 3))[0]
```

Message (torch 1.0 to 2.13, from a notebook; `net(x)`):

```text
---> 12 print(net(x).shape)

AttributeError: 'NoneType' object has no attribute 'shape'
```

Message (torch 1.0 to 2.13, with the code; `Net` has no return):

```text
AttributeError: 'NoneType' object has no attribute 'backward'

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x, y):
        loss = F.mse_loss(self.fc(x), y)

loss = Net()(x, y)
loss.backward()
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.torch_names import TENSOR_METHODS

pitfall = Pitfall(__name__, __doc__, severity="error")

ALSO = frozenset(
    {"shape", "dtype", "device", "data", "grad", "ndim", "backward", "item", "size", "dim"}
)
MODELS = (
    "model|net|network|encoder|decoder|backbone|classifier|generator|discriminator|rnn|lstm|gru|"
    "transformer|bert|policy|actor|critic|unet|resnet|cnn|mlp"
)
MAKERS = "get|build|create|make|load|init|define|prepare|setup|find|save|print|to"
CALL = rf"(?<!def )\b(?:self\.)?(?!(?:{MAKERS})_)(?:[a-zA-Z]+_)?(?:{MODELS})\d?\((?:[^()\n]|\([^()\n]*\))*\)"
USED = re.compile(
    rf"(?P<call>{CALL})(?=\.|\[)|[\w)], ?[\w(][\w, ()]* = (?P<given>{CALL})(?:[ \t]*#.*)?$",
    re.IGNORECASE,
)


@pitfall.explains(
    r"'NoneType' object (?:has no attribute '(?P<name>[a-z]\w*)'|is not (?:subscriptable|iterable))",
    r"cannot unpack non-iterable NoneType object",
    odds=0.93,
)
def nothing_came_back(failure: Failure) -> Hits:
    used = USED.search(failure.line.strip())
    silent = failure.program.silent_forward() if failure.program else None
    what = (
        f"`{used['call'] or used['given']}` is None" if used else "what a module returned is None"
    )
    if silent and (
        used or not failure.groups.get("name") or failure.groups["name"] in TENSOR_METHODS | ALSO
    ):
        yield failure.hit(f"{what}: the forward of `{silent[0]}` has no return")
    elif used:
        yield failure.hit(
            f"{what}: the forward that it calls has no return, or none on this way through it"
        )
