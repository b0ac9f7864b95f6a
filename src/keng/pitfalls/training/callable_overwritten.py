r"""What was a function, a layer or a method is overwritten by a value.

`self.train = train` in a module takes the place of its method `train`, which `model.train()` and `model.eval()` call. `loss = loss(y, t).item()`
works once: behind it `loss` is the number. `self.dropout = 0.1` is no layer. A name that is called holds a number or a text then, which cannot be called.

Cure: another name for the setting, `self.is_train`, and for the result, `value = criterion(y, t)`; `self.dropout = nn.Dropout(0.1)`.

Bad (a method of every module):

```python
from torch import nn


class Net(nn.Module):
    def __init__(self, train=True):
        super().__init__()
        self.train = train


net = Net()
net.eval()  # seen: `train` of the module
```

Bad (a function by what it returned):

```python
import torch
from torch import nn

loss = nn.MSELoss()
for step in range(2):
    loss = loss(torch.ones(2), torch.zeros(2)).item()  # seen: `loss` is a float
```

Bad (a switch for what moves a model):

```python
import torch
from torch import nn

net = nn.Linear(2, 2)
net.cuda = torch.cuda.is_available()
net.cuda()  # seen: `cuda` of the module
```

Bad (the setting of a layer for the layer):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.dropout = dropout

    def forward(self, x):
        return self.dropout(x)  # seen: `self.dropout` is a float


y = Net()(torch.ones(2))
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, train=True):
        super().__init__()
        self.is_train = train


net = Net()
net.eval()
criterion = nn.MSELoss()
for step in range(2):
    loss = criterion(torch.ones(2), torch.zeros(2)).item()
```

Message (torch 1.0 to 2.13, from a notebook; `self.loss`):

```text
---> 44         loss = self.loss(y_hat, y)
TypeError: 'float' object is not callable
```

Message (torch 1.0 to 2.13, with the code; `train` of the module):

```text
TypeError: 'bool' object is not callable

class Net(nn.Module):
    def __init__(self, train):
        super().__init__()
        self.train = train

net = Net(True)
net.train()
```

Message (Lightning 0.8, whose Trainer calls it; `train` of the module):

```text
Traceback (most recent call last):
  File "train.py", line 21, in <module>
    trainer.fit(model)
  File "/env/lib/python3.6/site-packages/pytorch_lightning/trainer/training_loop.py", line 347, in train
    model.train()
TypeError: 'int' object is not callable
```

Message (a library's own loop; `eval` of the module):

```text
Traceback (most recent call last):
  File "train.py", line 21, in <module>
    loop(net, loss(net))
  File "/env/lib/python3.10/site-packages/loops/core.py", line 47, in loop
    self.module.eval()
TypeError: 'bool' object is not callable
```

Message (torch 1.0 to 2.13, a mean by NumPy; `loss`):

```text
---> 10     loss = loss(out, y)

TypeError: 'numpy.float64' object is not callable
```

Message (torch 0.3 to 2.13, where DataParallel asks; `modules` of the module):

```text
  File "/env/lib/python3.8/site-packages/torch/nn/parallel/replicate.py", line 21, in replicate
    modules = list(network.modules())
TypeError: 'list' object is not callable
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

METHODS = (
    "train|eval|cuda|cpu|parameters|named_parameters|modules|children|zero_grad|state_dict|forward"
)
METHOD = re.compile(
    rf"\b\w*(?:model|module|net)\w*\.(?P<name>{METHODS})\(|"
    r"\.(?P<own>eval|cuda|parameters|named_parameters|zero_grad|state_dict)\("
)
SET = re.compile(rf"\bself\.(?P<name>{METHODS}) = (?!lambda)")
LAYER = re.compile(r"\bself\.\w+(?=\()")
FUNCTION = re.compile(
    r"\b(?P<name>(?:self\.)?\w{0,20}(?:[Ll]oss(?:_fn|_func)?|criterion|optimizer|scheduler))\("
)


@pitfall.explains(
    r"(?:^|Error: )'(?P<kind>bool|int|float|str|dict|list|tuple|numpy\.\w+)' object is not callable",
    odds=0.92,
)
def a_value_is_called(failure: Failure) -> Hits:
    kind, last = failure.groups["kind"], failure.frames[-1] if failure.frames else None
    text = last.text if last is not None else failure.around
    article = "an" if kind == "int" else "a"
    inside = failure.passed_through("torch/nn/modules/module.py")
    method = (METHOD if last is not None else SET).search(text)
    functions = {found["name"] for found in FUNCTION.finditer(text)}
    if inside and "train(" in text:
        yield failure.hit(_overwritten("train", kind))
    elif method and (last is not None or "Module)" in text):
        yield failure.hit(_overwritten(next(filter(None, method.groups())), kind))
    elif kind in ("list", "tuple"):
        return  # forward-not-defined tells of layers in a list
    elif failure.in_forward and (layers := dict.fromkeys(LAYER.findall(text))):
        names = " or ".join(f"`{name}`" for name in layers)
        yield failure.hit(
            f"{names} is {article} {kind}, and no layer: what it was made of, or a name"
        )
    elif len(functions) == 1:
        yield failure.hit(
            f"`{functions.pop()}` is {article} {kind}, and no function any more: another name for what it returns"
        )


def _overwritten(name: str, kind: str) -> str:
    article = "an" if kind == "int" else "a"
    return f"`{name}` of the module, a method of all modules, was overwritten by {article} {kind}: another name for that"
