r"""A module or function of PyTorch is called with more or fewer arguments than it takes.

What a layer is made of and what it is called with are two calls, `nn.MaxPool2d(2)(x)`: options belong into the first. `nn.Sequential`
hands one thing from layer to layer, so what a layer needs besides cannot reach it. A loss such as `CosineEmbeddingLoss` takes three
tensors, attention query, key and value; `ReduceLROnPlateau` steps by a loss, and `LBFGS` by a function that computes it anew.

Cure: give what the documentation of the class lists, its options where it is made; a module with its own forward, `def forward(self,
x, mask)`, where Sequential hands on too little; `scheduler.step(loss)`.

Bad (more than a layer takes):

```python
import torch
from torch import nn

pool = nn.MaxPool2d(2)
pooled, indices = pool(torch.ones(1, 1, 4, 4), True)  # seen: `takes 1, and 2 are given`
```

Bad (through Sequential):

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 2), nn.ReLU())
scores = model(torch.ones(4, 3), torch.ones(4, 3))  # seen: `one thing`
```

Bad (a layer that needs more, in Sequential):

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(3, 4), nn.Bilinear(4, 4, 2))
scores = model(torch.ones(5, 3))  # seen: `'input2'`
```

Bad (fewer than a loss takes):

```python
import torch
from torch import nn

criterion = nn.CosineEmbeddingLoss()
loss = criterion(torch.ones(2, 3), torch.ones(2, 3))  # seen: `target`
```

Bad (fewer than a layer is made of):

```python
from torch import nn

layer = nn.Linear(4)  # seen: `out_features`
```

Bad (a step without the loss):

```python
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
scheduler.step()  # seen: `scheduler.step(loss)`
```

Bad (fewer than a function takes):

```python
import torch

last_first = torch.flip(torch.ones(2, 3))  # seen: `dims`
```

Bad (no limit):

```python
from torch import nn

total = nn.utils.clip_grad_norm_(nn.Linear(2, 2).parameters())  # seen: 'max_norm'
```

Bad (no kind of device):

```python
import torch

with torch.autocast():  # seen: 'device_type'
    pass
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x, mask):
        return self.fc(x * mask)


scores = Net()(torch.ones(4, 3), torch.ones(4, 3))
loss = nn.CosineEmbeddingLoss()(torch.ones(2, 3), torch.ones(2, 3), torch.ones(2))
optimizer = torch.optim.SGD(nn.Linear(4, 2).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
scheduler.step(0.5)
last_first = torch.flip(torch.ones(2, 3), dims=(0,))
```

Message (torch 2.13; `closure`):

```text
TypeError: LBFGS.step() missing 1 required positional argument: 'closure'
```

Message (torch 2.13; `'split_size'`):

```text
TypeError: Tensor.split() missing 1 required positional argument: 'split_size'
```

Message (torch 0.4 to 1.13; `parentheses`):

```text
  File "main.py", line 13, in <module>
    @t.no_grad
TypeError: __init__() takes 1 positional argument but 2 were given
```

Message (torch.optim's functions from 1.11 on, called by a package of before):

```text
TypeError: sgd() missing 1 required keyword-only argument: 'maximize'
```

Message (torch 2.13; `AdaptiveAvgPool2d is not made`):

```text
  File "/home/u/train.py", line 7, in <module>
    pool = nn.AdaptiveAvgPool2d()
           ^^^^^^^^^^^^^^^^^^^^^^
TypeError: _AdaptiveAvgPoolNd.__init__() missing 1 required positional argument: 'output_size'
```

Message (torch 0.4 to 2.13, from a notebook; StepLR):

```text
----> 3 scheduler = StepLR(step_size=3)

TypeError: __init__() missing 1 required positional argument: 'optimizer'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.argument_forms import called_as_before
from keng.tables.torch_names import MODULES

pitfall = Pitfall(__name__, __doc__, severity="error")

CALLS, HANDS_ON = "torch/nn/modules/module.py", "torch/nn/modules/container.py"
LAYERS = MODULES | {"_MaxPoolNd", "_AvgPoolNd", "_BatchNorm", "_AdaptiveAvgPoolNd"}
OWNER = r"(?:(?P<owner>\w{1,80})\.)?"
DECORATOR = re.compile(r"@(?:\w+\.)*(?:no_grad|enable_grad|inference_mode)\b(?!\()")
MADE = re.compile(
    r"\b(?:(?:torch|nn|optim|lr_scheduler)\.(?:\w+\.){0,4}|(?=\w+LR\())(?P<name>[A-Z]\w*|autocast)\("
)


@pitfall.explains(
    r"\b(?P<owner>\w{1,80})\.forward\(\) takes (?:from \d+ to )?(?P<takes>\d+) positional arguments? but (?P<given>\d+) were given",
    odds=0.9,
)
def too_many(failure: Failure) -> Hits:
    owner = failure.groups["owner"]
    takes, given = (int(failure.groups[name]) - 1 for name in ("takes", "given"))
    if owner == "Sequential":
        yield failure.hit(f"nn.Sequential takes one thing and hands it on, and {given} are given")
    elif owner in LAYERS:
        yield failure.hit(
            f"a call of {owner} takes {takes}, and {given} are given: options belong where it is made"
        )


@pitfall.explains(
    rf"{OWNER}forward\(\) missing \d+ required positional arguments?: (?P<names>'[\w', ]{{1,200}}')",
    odds=0.9,
)
def too_few(failure: Failure) -> Hits:
    owner, names = failure.groups["owner"] or "its layer", failure.groups["names"]
    frames = [frame.posix for frame in failure.frames if not frame.posix.endswith(CALLS)]
    if frames and frames[-1].endswith(HANDS_ON):
        yield failure.hit(
            f"nn.Sequential hands on one thing, and {owner} takes {names} as well: a module with its own forward"
        )
    elif owner in LAYERS:
        yield failure.hit(f"a call of {owner} takes {names} as well")


@pitfall.explains(
    rf"{OWNER}__init__\(\) missing \d+ required positional arguments?: (?P<names>'[\w', ]{{1,200}}')",
    odds=0.9,
)
def made_of_too_little(failure: Failure) -> Hits:
    owner, names = failure.groups["owner"], failure.groups["names"]
    made = [found["name"] for found in MADE.finditer(failure.line or failure.around)]
    name = owner if owner in made else made[0] if len(made) == 1 else ""
    if name and (owner or name) in {name, *LAYERS}:
        yield failure.hit(f"a {name} is not made without {names}")


@pitfall.explains(r"__init__\(\) takes 1 positional argument but 2 were given", odds=0.9)
def decorated_without_a_call(failure: Failure) -> Hits:
    if found := DECORATOR.search(failure.line or failure.around):
        yield failure.hit(f"it is `{found[0]}()`, with parentheses, and no decorator before 0.4.1")


@pitfall.explains(
    r"step\(\) missing 1 required positional argument: '(?P<name>metrics|closure)'", odds=0.95
)
def step_of_nothing(failure: Failure) -> Hits:
    if failure.groups["name"] == "metrics":
        yield failure.hit("a ReduceLROnPlateau goes by the validation loss: scheduler.step(loss)")
    else:
        yield failure.hit(
            "an LBFGS computes the loss several times a step: optimizer.step(closure), which zeroes gradients, "
            "goes back and returns the loss"
        )


@pitfall.explains(
    r"\b(?P<function>\w{1,60})\(\) missing \d+ required positional arguments?: \"(?P<names>[\w\", ]{1,200})\"",
    r"\bTensor\.(?P<function>\w{1,60})\(\) missing \d+ required positional arguments?: (?P<names>'[\w', ]{1,200}')",
    r"\b(?P<function>clip_grad_(?:norm|value)_)\(\) missing \d+ required positional arguments?: (?P<names>'[\w', ]{1,200}')",
    r"\b(?P<function>sgd|r?adamw?|nadam|adamax|adagrad|adadelta|rmsprop|asgd)\(\) missing \d+ required keyword-only arguments?: (?P<names>'[\w', ]{1,200}')",
    odds=0.93,
)
def function_of_too_little(failure: Failure) -> Hits:
    function, names = failure.groups["function"], failure.groups["names"].replace('", "', ", ")
    yield failure.hit(f"{function} also takes {names}{called_as_before(failure.message, function)}")
