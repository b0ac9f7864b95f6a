r"""A state dict, or another thing that is no model, is used as if it were one.

`torch.load` gives back what was saved. Where that was `model.state_dict()`, it is a dict of tensors by
name: it has no forward, no `eval`, no `to`, and cannot be called. Nor are a list of models, the name of a model or the function that makes one a
model, whose parameters could be asked for.

Cure: build the model as it was and fill it: `model = Net(); model.load_state_dict(torch.load(path))`; of a list each by itself, or `nn.ModuleList`;
`torchvision.models.resnet18()`, with parentheses.

Bad:

```python
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = torch.load(file)
model.eval()  # seen: `load_state_dict`
```

Bad (called):

```python
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = torch.load(file)
y = model(torch.ones(1, 4))  # seen: a dict has no forward
```

Bad (a list of models):

```python
from torch import nn
from torch.optim import SGD

models = [nn.Linear(2, 2), nn.Linear(2, 2)]
optimizer = SGD(models.parameters(), lr=0.1)  # seen: `models` is a list
```

Bad (the function that makes it):

```python
from torch import nn


def small():
    return nn.Linear(2, 2)


model = small
weights = model.state_dict()  # seen: parentheses
```

Good:

```python
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = nn.Linear(4, 2)
model.load_state_dict(torch.load(file))
model.eval()
y = model(torch.ones(1, 4))
```

Message (torch 1.0 to 2.13, of a whole training checkpoint; `load_state_dict`):

```text
AttributeError: 'dict' object has no attribute 'eval'
```

Message (fastai 2, of what Learner.save wrote; `dls`):

```text
AttributeError: 'dict' object has no attribute 'dls'
```

Message (torch 1.0 to 2.13; `alone`):

```text
Traceback (most recent call last):
  File "/home/u/nav/train.py", line 109, in main
    policy, step = torch.load(path)
ValueError: too many values to unpack (expected 2)
```

Message (torch 1.0 to 2.13, of a name; a text):

```text
----> 5 model.eval()

AttributeError: 'str' object has no attribute 'eval'
```

Message (torch 1.0 to 2.13, of a batch; `batch.items()`):

```text
Traceback (most recent call last):
  File "/work/train.py", line 5, in <module>
    outputs = model(batch.to(device))
AttributeError: 'dict' object has no attribute 'to'
```

Message (torch 1.0 to 2.13, of loaded weights; `load_state_dict`):

```text
Traceback (most recent call last):
  File "/work/train.py", line 5, in <module>
    model = model.to(device)
AttributeError: 'dict' object has no attribute 'to'
```

Message (torch 1.0 to 2.13, without its line; `of a batch`):

```text
AttributeError: 'dict' object has no attribute 'to'
```
"""

import re

from keng.explain.advice.dicts import asked_of_a_dict
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"'(?P<kind>(?:collections\.)?(?:OrderedDict|dict))' object has no attribute '(?P<name>eval|train|to|cuda|half|parameters|"
    r"named_parameters|modules|named_modules|children|state_dict|load_state_dict|forward|zero_grad|requires_grad_|"
    r"fuse|names|module|dls)'",
    odds=0.9,
)
def has_no_methods(failure: Failure) -> Hits:
    if says := asked_of_a_dict(failure, failure.groups["name"]):
        yield failure.hit(says)


NO_MODEL = {
    "list": "a list: each of its models by itself, or nn.ModuleList",
    "tuple": "a tuple: the model is one of its parts, or there is a comma too many",
    "str": "a text: build the model that it names, or load the file",
    "function": "a function that makes a model: parentheses, as in resnet18()",
}


@pitfall.explains(
    r"'(?P<kind>list|tuple|str|function)' object has no attribute '(?P<name>(?:named_)?parameters|zero_grad|state_dict|"
    r"load_state_dict|eval|train)'",
    odds=0.9,
)
def no_model(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    asked = set(re.findall(rf"\b([\w.]+)\.{name}\(", failure.line or failure.around))
    if name in ("eval", "train") and not any("net" in each or "model" in each for each in asked):
        return  # other things may be asked for these
    what = f"`{asked.pop()}`" if len(asked) == 1 else "what is asked"
    yield failure.hit(f"`{name}` is a model's, and {what} is {NO_MODEL[kind]}")


@pitfall.explains(r"'(?:collections\.)?OrderedDict' object is not callable", odds=0.9)
def is_no_function(failure: Failure) -> Hits:
    yield failure.hit(
        "what is called is a dict of weights, not a model: build the model, then model.load_state_dict(...)"
    )


@pitfall.explains(r"too many values to unpack \(expected (?P<n>\d+)", odds=0.9)
def is_no_tuple(failure: Failure) -> Hits:
    if "torch.load(" in failure.line:
        n = failure.groups["n"]
        yield failure.hit(
            f"{n} things are taken out of the file, and it holds another number, as a state dict alone does: print its type and keys"
        )
