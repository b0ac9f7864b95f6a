r"""A tensor, or its shape, is called like a function.

`x.shape` is an attribute and `x.size()` a method, other than in other libraries; `x.data`, `x.T`, `x.grad` are attributes too. A
name that was a function or a module may have been given a tensor in the meantime: `loss = loss(y, t)` works once.

Cure: without parentheses; different names for the function and its result.

Bad:

```python
import torch

x = torch.ones(2, 3)
rows = x.shape()[0]  # seen: `attribute`
```

Bad (the transposed):

```python
import torch

x = torch.ones(2, 3)
y = x.T()  # seen: `.T`
```

Bad (a name used twice):

```python
import torch
from torch import nn

loss = nn.MSELoss()
for step in range(2):
    loss = loss(torch.ones(2), torch.zeros(2))  # seen: `name`
```

Bad (a dtype):

```python
import torch

x = torch.float32(torch.ones(3))  # seen: `x.to(torch.float32)`
```

Good:

```python
import torch
from torch import nn

criterion = nn.MSELoss()
loss = criterion(torch.ones(2), torch.zeros(2))
rows = torch.ones(2, 3).shape[0]
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

ATTRIBUTE = re.compile(r"\w\.(?P<name>T|mT|H|mH|data|grad|real|imag)\(")


@pitfall.explains(r"'torch\.(?P<what>dtype|device)' object is not callable", odds=0.95)
def property_called(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if f".{what}(" in failure.line:
        yield failure.hit(f"`.{what}` is an attribute: without parentheses")
    else:
        yield failure.hit(f"a {what} is no function: x.to(torch.float32) converts a tensor")


@pitfall.explains(r"'torch\.Size' object is not callable", odds=0.97)
def shape_called(failure: Failure) -> Hits:
    yield failure.hit("`.shape` is an attribute: without parentheses, or .size()")


@pitfall.explains(r"'(?:Tensor|Parameter)' object is not callable", odds=0.85)
def result_called(failure: Failure) -> Hits:
    read = ATTRIBUTE.search(failure.line)
    if read:
        yield failure.hit(f"`.{read['name']}` is an attribute: without parentheses")
        return
    yield failure.hit(
        "what is called is a tensor: a name that was a function's now holds its result, or x(i) stands for x[i]"
    )
