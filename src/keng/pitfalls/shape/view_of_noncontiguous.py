r"""A tensor is viewed in an order that its memory does not have.

`view` gives the same memory another shape and never moves a number. `permute`, `transpose`, `.t()`,
`expand` and slices leave the memory as it was and only change how it is walked; after them no new shape may
fit. `reshape` makes a view where it can and a copy where it must. Kernels of
extensions, and some of old versions of PyTorch, refuse such a tensor altogether.

Cure: `x.reshape(...)`, or `x.contiguous().view(...)`. To swap dimensions neither will do: that is `permute`.

Bad:

```python
import torch

x = torch.zeros(2, 3, 4).permute(0, 2, 1)
rows = x.view(2, -1)  # here: permuted, then viewed
```

Bad (in a module):

```python
import torch
from torch import nn


class Heads(nn.Module):
    def forward(self, x):
        x = x.view(2, 5, 4, 2).transpose(1, 2)
        return x.view(2, 5, 8)  # here: the heads are still swapped


heads = Heads()
y = heads(torch.zeros(2, 5, 8))
```

Bad (sizes that have names):

```python
import torch


def joined(x, heads):
    b, t, c = x.shape
    x = x.view(b, t, heads, c // heads).transpose(1, 2)
    weights = (x @ x.transpose(-2, -1)).softmax(-1)
    return (weights @ x).transpose(1, 2).view(b, t, c)  # here: the heads lie apart


y = joined(torch.zeros(2, 5, 8), 2)
```

Bad (unpacked, scaled and dropped in between):

```python
import math

import torch
import torch.nn.functional as F


def attend(x, heads):
    b, t, c = x.shape
    q, k, v = (y.view(b, t, heads, c // heads).transpose(1, 2) for y in (x, x, x))
    weights = q @ k.transpose(-2, -1) / math.sqrt(c // heads)
    weights = F.dropout(F.softmax(weights, dim=-1), 0.1)
    y = (weights @ v).transpose(1, 2)
    return y.view(b, t, c)  # here: the heads lie apart


y = attend(torch.zeros(2, 5, 8), 2)
```

Bad (a product by its name):

```python
import torch


def attend(x, heads):
    b, t, c = x.shape
    x = x.view(b, t, heads, c // heads).transpose(1, 2)
    weights = torch.matmul(x, x.transpose(-2, -1)).softmax(-1)
    y = torch.matmul(weights, x).transpose(1, 2)
    return y.view(b, t, -1)  # here: the heads lie apart


y = attend(torch.zeros(2, 5, 8), 2)
```

Good:

```python
import torch

x = torch.zeros(2, 3, 4).permute(0, 2, 1)
rows = x.reshape(2, -1)
same = x.contiguous().view(2, -1)
```

Fine (copied first; dimensions that still follow each other; a dimension of one; sizes that are not known):

```python
import torch


def rows(x, n):
    return x.transpose(1, 2).view(n, -1)


x = torch.zeros(2, 3, 4).permute(0, 2, 1)
same = x.contiguous().view(2, -1)
y = torch.zeros(2, 3, 4).permute(2, 0, 1).view(4, 6)
z = torch.zeros(2, 1, 4).transpose(1, 2).view(2, -1)
w = torch.zeros(2, 3, 4).transpose(0, 1).view(3, 2, 2, 2)
u = rows(torch.zeros(2, 1, 3), 2)
```

Fine (put back in order; split further; copied; a size of one):

```python
import torch


def rows(x, heads):
    b, t, c = x.shape
    x = x.view(b, t, heads, c // heads).transpose(1, 2)
    back = x.transpose(1, 2).view(b, t, c)
    split = x.view(b, heads, t, 2, c // heads // 2)
    flat = x.view(b, 1, t, heads, c // heads) if heads == 1 else x.contiguous().view(b, -1)
    return back, split, flat


def one(x):
    b, c = x.shape
    return x.view(b, 1, c).transpose(1, 2).view(b, c)


y = rows(torch.zeros(2, 5, 8), 2)
z = one(torch.zeros(2, 8))
```

Message (torch 0.3, CUDA):

```text
RuntimeError: input is not contiguous at /pytorch/torch/lib/THC/generic/THCTensor.c:227
```

Message (torch 1.0):

```text
RuntimeError: invalid argument 2: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Call .contiguous() before .view(). at /pytorch/aten/src/TH/generic/THTensor.cpp:237
```

Message (Deformable DETR; `value`):

```text
RuntimeError: value tensor has to be contiguous
```

Message (torch 0.4 to 1.0, in a backward; `grad_input`):

```text
RuntimeError: grad_input must be contiguous
```

Message (torch 2.13, of x.t().view(torch.int16); `contiguous()`):

```text
RuntimeError: self.stride(-1) must be 1 to view Float as Short (different element sizes), but got 4
```
"""

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def viewed_across_its_memory(code: Code) -> Hits:
    for call in code.views_that_fail():
        fix = Fix("Let `reshape` copy", (code.rename_attribute(call.func, "reshape"),))
        yield code.hit(call, "the memory does not lie in this order: reshape copies it", fix=fix)


@pitfall.explains(
    r"view size is not compatible with input tensor's size and stride",
    r"input is not contiguous at \S",
    odds=0.95,
)
def permuted_before(failure: Failure) -> Hits:
    there = failure.live.operands
    name = f"`{there[0].name}`" if len(there) == 1 else "the tensor"
    line = failure.place.line if failure.place is not None else 0
    calls = failure.code.on_line(line, ast.Call) if failure.code is not None else []
    views = [c.func for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr == "view"]
    fix = None
    if len(views) == 1:
        edit = failure.code.rename_attribute(views[0], "reshape")
        fix = Fix("Let `reshape` copy where it must", (edit,), "shown")
    says = (
        "was permuted, transposed or sliced, and its memory is not in this order: reshape copies it"
    )
    yield failure.hit(f"{name} {says}", fix=fix)


@pitfall.explains(
    r"(?:^|Error: |[(:,] )(?P<what>(?!Tensors\b)\w[\w.]{0,40}) (?:tensor )?(?:must be|has to be|should be|is expected to be|expected to be)"
    r"(?: an?)? contiguous(?! buffer)",
    odds=0.9,
)
def wanted_in_one_piece(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['what']}` is to lie in memory in its own order: .contiguous() after a permute, transpose or slice"
    )


pitfall.answers(
    {
        "must be 1 to view": "a view of another dtype reads the memory in its own order: .contiguous() after a transpose"
    },
    odds=0.96,
)
