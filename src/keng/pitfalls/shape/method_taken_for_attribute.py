r"""A method is named and not called, or an attribute is called.

`loss.item`, `x.size`, `x.long` and `model.state_dict` are functions: without parentheses nothing happens, and a later line meets a function where it
wants a number or a tensor. `model.training`, `x.requires_grad`, `x.is_cuda` and `x.ndim` are values. NumPy's `x.size` is a number.

Cure: `loss.item()`, `x.size(0)` or `x.shape[0]`, `model.state_dict()`; `model.training` without parentheses; `array.shape[0]`, or
`torch.as_tensor(array)` where a tensor is wanted.

Bad (a sum of losses):

```python
import torch

total, loss = 0.0, torch.tensor(1.0)
total += loss.item  # here: `loss.item`
```

Bad (a step that is not taken, and functions in a list):

```python
import torch
from torch import nn

model, losses = nn.Linear(4, 1), []
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
was = model.weight.detach().clone()
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    loss.backward()
    optimizer.step  # here: `optimizer.step`
    losses.append(loss.item)  # here: `loss.item`
```

Proof:

```python
assert torch.equal(model.weight, was) and callable(losses[0])
```

Bad (a size):

```python
import torch

rows = torch.ones(3, 2).size[0]  # seen: `.size()`
```

Bad (a number of dimensions):

```python
import torch

x = torch.ones(3)
if x.dim > 1:  # seen: `.dim()`
    x = x.flatten()
```

Bad (a loss without its mean):

```python
import torch

loss = torch.ones(2, requires_grad=True).mean
loss.backward()  # seen: parentheses
```

Bad (a mode that is asked for):

```python
from torch import nn

model = nn.Linear(2, 2)
if model.training():  # seen: `.training`
    model.eval()
```

Bad (the size of an array):

```python
import numpy as np
import torch

x = np.ones((3, 2))
batch = torch.as_tensor(x).view(x.size(0), -1)  # seen: an array
```

Bad (an array for a tensor):

```python
import numpy as np
import torch
from torch import nn

loss = nn.MSELoss()(torch.ones(2), np.ones(2))  # seen: `torch.as_tensor`
```

Good:

```python
import numpy as np
import torch
from torch import nn

x = torch.as_tensor(np.ones((3, 2)))
rows = x.size(0)
model = nn.Linear(2, 2)
if model.training:
    model.eval()
loss = x.mean()
total = 0.0 + loss.item()
```

Fine (functions that are handed on; a method of something else; an attribute of that name):

```python
import torch
from torch import nn


class Clock:
    step = 1


model, loss, clock = nn.Linear(2, 2), torch.tensor(1.0), Clock()
readers = [loss.item, loss.tolist]
switch = model.eval
switch()
clock.step
values = [read() for read in readers]
```

Message (torch 1.0 to 2.13, of a loss that `.mean` was left open of; `parentheses`):

```text
AttributeError: 'builtin_function_or_method' object has no attribute 'backward'
```

Message (torch 2.13, a number in a text; `.item()`):

```text
  File "train.py", line 31, in <module>
    print(f"epoch {epoch}: {loss.item:.3f}")
TypeError: unsupported format string passed to builtin_function_or_method.__format__
```

Message (torch 1.7, of a `.long` that was left open before; `x.long()`):

```text
  File "loss.py", line 255, in build_targets
    gain[2:6] = torch.tensor(p[i].shape)[[3, 2, 3, 2]]
TypeError: 'builtin_function_or_method' object does not support item assignment
```

Message (torch 1.0 to 1.10, a file that torch.save(model.state_dict, path) wrote; `model.state_dict()`):

```text
  File "submit.py", line 43, in <module>
    model.load_state_dict(torch.load(path))
  File "/env/lib/python3.7/site-packages/torch/nn/modules/module.py", line 803, in load_state_dict
    state_dict = state_dict.copy()
AttributeError: 'function' object has no attribute 'copy'
```

Message (torch 1.12 to 2.13, the same; `model.state_dict()`):

```text
TypeError: Expected state_dict to be dict-like, got <class 'method'>.
```

Message (torch 1.0 to 2.13; `.state_dict()`):

```text
  File "export.py", line 8, in <module>
    for name, value in model.state_dict.items():
AttributeError: 'function' object has no attribute 'items'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

OF_MODELS = r"state_dict|parameters|named_parameters|modules|children|device_count|zero_grad"
OPEN = re.compile(
    rf"(?<!\btorch)\.(?P<name>item|size|dim|numel|tolist|numpy|detach|cpu|cuda|backward|{OF_MODELS})\b(?! ?\()"
)
CALLED = re.compile(r"\.(?P<name>training|requires_grad|is_cuda|is_leaf|ndim)\(\)")
SIZED = re.compile(r"\.size\((?:-?\d|dim\b|\)(?:\[| [!=]=))")


@pitfall.finds(fixes=True)
def not_done(code: Code) -> Hits:
    for method in code.methods_not_called():
        says = f"`{code.text_of(method)}` is named and not called"
        yield code.hit(method, says, Fix("Call it", (code.append(method, "()"),)))


@pitfall.explains(
    r"'(?:builtin_function_or_method|method|function)' object is not (?:subscriptable|iterable)",
    r"unsupported operand type\(s\) for .{1,20}'(?:builtin_function_or_method|method)'",
    r"not supported between instances of (?:'\w+' and )?'(?:builtin_function_or_method|method|function)'",
    r"unsupported format string passed to (?:builtin_function_or_method|method)\.__format__",
    r"'(?:builtin_function_or_method|method|function)' object (?:has no attribute|does not support item)",
    odds=0.94,
)
def not_called(failure: Failure) -> Hits:
    if failure.passed_through("torch/optim/optimizer.py"):
        return  # it is given parameters
    if found := OPEN.search(failure.line or failure.around):
        name = found["name"]
        yield failure.hit(f"`.{name}` is named and not called: `.{name}()`")
    elif "does not support item" in failure.message and "torch." in failure.line:
        yield failure.hit(
            "what an item is set of is a method that was named and not called: parentheses, x.long()"
        )


@pitfall.explains(
    r"'(?:function|method)' object has no attribute 'copy'",
    r"Expected state_dict to be dict-like, got <class '(?:function|method)'>",
    odds=0.96,
)
def saved_without_parentheses(failure: Failure) -> Hits:
    if "dict-like" in failure.message or failure.passed_through("torch/nn/modules/module.py"):
        yield failure.hit(
            "what is loaded is a method and no state: it was saved without parentheses, torch.save(model.state_dict(), path)"
        )


@pitfall.explains(
    r"'builtin_function_or_method' object has no attribute '(?P<name>backward|item|detach|cpu|cuda|numpy|size|dim|view)'",
    odds=0.9,
)
def result_not_there(failure: Failure) -> Hits:
    if not OPEN.search(failure.line):
        yield failure.hit(
            "what is taken for a tensor is a method that was named and not called: parentheses, loss.mean()"
        )


@pitfall.explains(r"'(?P<kind>int|bool)' object is not callable", odds=0.94)
def called(failure: Failure) -> Hits:
    text, deepest = failure.line or failure.around, failure.frames[-1:]
    inside = "".join(frame.text for frame in deepest if "/torch/" in frame.posix)
    if found := CALLED.search(text):
        yield failure.hit(f"`.{found['name']}` is a value and no method: without parentheses")
    elif failure.groups["kind"] == "int" and ".size(" in inside:
        yield failure.hit(
            "an array is given where a tensor is wanted, and its .size is a number: torch.as_tensor(x)"
        )
    elif failure.groups["kind"] == "int" and SIZED.search(text):
        yield failure.hit(
            "this is an array, whose .size is a number: x.shape[0], or torch.as_tensor(x)"
        )
