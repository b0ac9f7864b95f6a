r"""A dimension is named that the tensor does not have.

Dimensions count from 0, or from -1 at the end: a tensor of n dimensions has -n to n-1. A dimension that
is missing was mostly lost before: `squeeze()` without an argument also takes a batch of one away, an
integer index takes its dimension away, and a single sample has no batch.

Cure: keep the dimension, `squeeze(1)` or `x[0:1]`, or name it from the end, `dim=-1`.

Bad:

```python
import torch

scores = torch.ones(1, 3).squeeze()
best = scores.argmax(dim=1)  # seen: `scores has one dimension`
```

Bad (too many indices):

```python
import torch

x = torch.ones(4)
first = x[0, 0]  # seen: one dimension
```

Bad (a key, as of a dict):

```python
import torch

outputs = torch.ones(2, 3)
loss = outputs["loss"]  # seen: `a key`
```

Bad (another number of dimensions to permute):

```python
import torch

image = torch.ones(8, 8)
moved = image.permute(2, 0, 1)  # seen: 2 dimensions, 3 named
```

Bad (a tensor without dimensions):

```python
import torch

total = torch.ones(3).sum()
for part in total:  # seen: it is one number
    print(part)
```

Bad (its length):

```python
import torch

total = torch.ones(3).sum()
count = len(total)  # seen: one number has no length
```

Bad (of its shape):

```python
import torch
from torch import nn


class Flat(nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0], x.shape[2])  # seen: `x` has fewer dimensions


y = Flat()(torch.ones(3, 4))
```

Good:

```python
import torch

scores = torch.ones(1, 3)
best = scores.argmax(dim=1)
first = torch.ones(4)[0]
moved = torch.ones(8, 8, 3).permute(2, 0, 1)
```

Message (torch 0.4 to 1.4):

```text
RuntimeError: invalid argument 2: dimension 1 out of range of 1D tensor at /pytorch/aten/src/TH/generic/THTensor.cpp:24
```

Message (torch 1.0 to 2.13):

```text
IndexError: Dimension specified as 0 but tensor has no dimensions
```

Message (torch 1.0 to 2.13):

```text
IndexError: slice() cannot be applied to a 0-dim tensor.
```

Message (an older torch; `permute`):

```text
RuntimeError: number of dims don't match in permute
```

Message (torch 0.1 to 0.3):

```text
IndexError: trying to index 3 dimensions of a 2 dimensional tensor
```

Message (torch 0.1 to 1.1):

```text
RuntimeError: invalid argument 2: out of range at /opt/conda/conda-bld/pytorch_1503970438496/work/torch/lib/THC/generic/THCTensor.c:23
```

Bad (of a parametrization):

```python
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

spectral_norm(nn.Linear(2, 2), dim=3)  # seen: `no dimension 3`
```

Message (torch 1.0 to 2.13, from a notebook; `x`):

```text
---> 20         width = x.size()[3]

IndexError: tuple index out of range
```
"""

import re

from keng.data.th_words import DIMENSION
from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.says(DIMENSION, odds=0.93)

KEY = re.compile(r"[\w)\]]\[[\"']")


@pitfall.explains(
    r"[Dd]imension out of range \(expected to be in range of \[-(?P<n>\d+), \d+\],? but got (?P<dim>-?\d+)\b",
    odds=0.9,
)
def no_such_dimension(failure: Failure) -> Hits:
    count, named = int(failure.groups["n"]), [o.name for o in failure.live.operands]
    name = f"`{named[0]}`" if len(named) == 1 else "the tensor"
    has = "one dimension" if count == 1 else f"{count} dimensions"
    lost = "; a squeeze() or an index may have taken the batch away"
    yield failure.hit(f"{name} has {has}, so no dimension {failure.groups['dim']}{lost}")


@pitfall.explains(
    r"too many indices for tensor of dimension (?P<n>\d+)",
    r"trying to index \d+ dimensions of a (?P<n>\d+) dimensional tensor",
    odds=0.9,
)
def more_indices_than_dimensions(failure: Failure) -> Hits:
    if KEY.search(failure.line):
        yield failure.hit("a tensor is asked for a key, as a dict is: print what this is before it")
        return
    yield failure.hit(
        f"a tensor of {failure.groups['n']} dimensions takes no more indices than that: one was lost "
        "before, or a batch is missing"
    )


@pitfall.explains(
    r"number of dimensions in the tensor input does not match the length of the desired ordering of "
    r"dimensions i\.e\. input\.dim\(\) = (?P<n>\d+) is not equal to len\(dims\) = (?P<dims>\d+)",
    odds=0.95,
)
def another_number_to_permute(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"permute names {groups['dims']} dimensions of a tensor that has {groups['n']}"
    )


@pitfall.explains(r"(?:^|Error: )tuple index out of range", odds=0.9)
def past_the_end_of_a_shape(failure: Failure) -> Hits:
    text = failure.line or failure.around
    read = re.findall(r"([\w.]+)\.(?:shape|size\(\))\[-?\d\]", text)
    torn = ".size()[" in text or (failure.around and failure.written_for_torch)
    if read and (failure.in_forward or torn):
        names = " or ".join(f"`{name}`" for name in dict.fromkeys(read))
        yield failure.hit(f"{names} has fewer dimensions than its shape is asked for")


@pitfall.explains(r"(?:iteration over|len\(\) of) a 0-d tensor", odds=0.95)
def one_number(failure: Failure) -> Hits:
    yield failure.hit(
        "the tensor is one number, without dimensions: use .item(), or reduce it less"
    )


@pitfall.explains(
    r"dimension \d+ out of range of (?P<has>\d+)D tensor",
    r"[Dd]imension specified as -?\d+ but tensor has no dimensions",
    r"slice\(\) cannot be applied to a 0-dim tensor",
    odds=0.9,
)
def too_few_dimensions(failure: Failure) -> Hits:
    has = failure.groups.get("has") or "no"
    yield failure.hit(f"the tensor has {has} dimensions and another one is named: see its shape")


@pitfall.explains(r"number of dims don't match in permute", odds=0.95)
def not_all_named(failure: Failure) -> Hits:
    yield failure.hit("permute wants each dimension of the tensor named once: see how many it has")
