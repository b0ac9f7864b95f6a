r"""A method of a module is misspelt, or takes no `self`.

Python calls the constructor `__init__`, with two underscores on each side. A class that has `_init_` or `__int__` is made by the constructor of
`nn.Module`, which takes no arguments. `model(x)` calls `forward(self, x)`: a `forward(x)` gets the model where it wants `x`, and one thing too many.

Cure: `def __init__(self, hidden):`, `def forward(self, x):`.

Bad (a constructor that is not found):

```python
from torch import nn


class Net(nn.Module):
    def __int__(self, hidden):
        super().__init__()
        self.fc = nn.Linear(hidden, 2)


net = Net(8)  # seen: `__init__`
```

Bad (no self):

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(x):
        return x


y = Net()(torch.ones(2))  # seen: `self`
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.fc = nn.Linear(hidden, 2)

    def forward(self, x):
        return self.fc(x)


y = Net(2)(torch.ones(2))
```

Message (torch 2.0 to 2.13, an option; `Net`):

```text
  File "train.py", line 12, in <module>
    net = Net(hidden=8)
  File "/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 475, in __init__
    raise TypeError(
TypeError: Net.__init__() got an unexpected keyword argument 'hidden'
```

Message (torch 0.4 to 1.13; `self`):

```text
  File "train.py", line 55, in train
    output = model(images)
  File "/env/lib/python3.8/site-packages/torch/nn/modules/module.py", line 727, in _call_impl
    result = self.forward(*input, **kwargs)
TypeError: forward() takes 1 positional argument but 2 were given
```

Message (torch 0.4 to 1.13, Python before 3.10, with the code; `_init_`):

```text
TypeError: __init__() takes 1 positional argument but 2 were given

class Tagger(nn.Module):
    def _init_(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(100, hidden)

model = Tagger(64)
```

Message (torch 0.4 to 1.13, without its traceback; `self`):

```text
TypeError: forward() takes 1 positional argument but 2 were given
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.torch_names import MODULES

pitfall = Pitfall(__name__, __doc__, severity="error")

NO_SELF = re.compile(r"\bdef forward\((?!self\b)")
MISSPELT = re.compile(
    r"class \w+\((?:torch\.)?(?:nn\.)?Module\):(?:(?!\bclass )[^\0]){0,300}?"
    r"def (?P<name>_init_|__init_|_init__|__int__|__inti__|init|__init|init__|__ini__)\("
)
CALLS = "torch/nn/modules/module.py"


@pitfall.explains(
    r"\b(?:(?P<owner>\w{1,80})\.)?forward\(\) takes 1 positional argument but 2 were given",
    odds=0.93,
)
def without_self(failure: Failure) -> Hits:
    owner = failure.groups["owner"]
    if owner in MODULES:
        return
    if _raised_by_nn_module(failure) or not failure.frames:
        text = failure.code.text if failure.code is not None else failure.around
        shown, whose = NO_SELF.search(text) is not None, owner or "this module"
        what = (
            "no `self`" if shown else "one thing: `self` is left out of its `def`, or the input is"
        )
        yield failure.hit(
            f"the forward of {whose} takes {what}", sure=shown or bool(failure.frames)
        )


@pitfall.explains(
    r"(?:\b(?P<owner>\w{1,80})\.)?__init__\(\) (?:takes 1 positional argument but \d+ were given|got an unexpected keyword argument '\w+')",
    odds=0.9,
)
def left_to_the_parent(failure: Failure) -> Hits:
    owner = failure.groups["owner"]
    if owner not in MODULES and _raised_by_nn_module(failure):
        yield failure.hit(
            f"the arguments come to the constructor of nn.Module: {owner or 'the class'} has no `__init__` that takes "
            "them, misspelt perhaps, or hands them on"
        )
    elif found := MISSPELT.search(failure.line or failure.around):
        yield failure.hit(
            f"`{found['name']}` is not the constructor: that is `__init__`, with two underscores on each side"
        )


def _raised_by_nn_module(failure: Failure) -> bool:
    """Whether nn.Module called or made what raised, which has no frame of its own."""
    return failure.raised_in.endswith(CALLS)
