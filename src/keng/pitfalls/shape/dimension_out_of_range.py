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

Bad (a key, as of a dict, of a batch of numbers):

```python
import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __getitem__(self, index):
        sample = {"image": torch.ones(3, 4, 4)}
        return 0

    def __len__(self):
        return 4


for sample in DataLoader(Images(), batch_size=2):
    image = sample["image"]  # seen: `a batch of numbers`
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

Bad (a dimension of a number):

```python
import torch

total = torch.ones(3).sum()
share = total.softmax(1)  # seen: `total has no dimensions`
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

Message (torch 0.4 to 2.13, of a vector or a number; `one dimension or none`):

```text
IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)
```

Message (torch 0.4 to 2.13, of vectors that are joined; `torch.stack`):

```text
  File "train.py", line 7, in <module>
    pair = torch.cat([left, right], 1)
IndexError: Dimension out of range (expected to be in range of [-1, 0], but got 1)
```

Message (torch 2.13, of a batch of images; `which stays first`):

```text
RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = 4 is not equal to len(dims) = 3
```

Message (torch 2.13, of far too few; `permute names 4 dimensions of a tensor that has 2`):

```text
RuntimeError: permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 4
```

Message (torch 1.8 to 2.13, of a spectrum; `torch.view_as_real(x)`):

```text
With torch.fft.rfft in its place I get
IndexError: too many indices for tensor of dimension 2
```
"""

import re

from keng.explain.advice.dimensions import indexed_too_often, permuted_otherwise
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.legacy_messages import DIMENSION

pitfall = Pitfall(__name__, __doc__, severity="error")
pitfall.says(DIMENSION, odds=0.93)

JOINED = re.compile(r"\bcat\(")


@pitfall.explains(
    r"[Dd]imension out of range \(expected to be in range of \[-(?P<n>\d+), \d+\],? but got (?P<dim>-?\d+)\b",
    odds=0.9,
)
def no_such_dimension(failure: Failure) -> Hits:
    count, named = int(failure.groups["n"]), [o.name for o in failure.live.operands]
    name, has = "the tensor", "one dimension or none" if count == 1 else f"{count} dimensions"
    if len(named) == 1:
        name = f"`{named[0]}`"
        has = has.partition(" or")[0] if failure.live.operands[0].shape else "no dimensions"
    lost = "; a squeeze() or an index may have taken the batch away"
    if count == 1 and JOINED.search(failure.line):
        lost = ": torch.stack joins vectors in a dimension of its own"
    yield failure.hit(f"{name} has {has}, so no dimension {failure.groups['dim']}{lost}")


@pitfall.explains(
    r"too many indices for tensor of dimension (?P<n>\d+)",
    r"trying to index \d+ dimensions of a (?P<n>\d+) dimensional tensor",
    odds=0.9,
)
def more_indices_than_dimensions(failure: Failure) -> Hits:
    yield failure.hit(indexed_too_often(failure))


@pitfall.explains(
    r"number of dimensions in the tensor input does not match the length of the desired ordering of "
    r"dimensions i\.e\. input\.dim\(\) = (?P<n>\d+) is not equal to len\(dims\) = (?P<dims>\d+)",
    odds=0.95,
)
def another_number_to_permute(failure: Failure) -> Hits:
    has, named = int(failure.groups["n"]), int(failure.groups["dims"])
    says = f"permute names {named} dimensions of a tensor that has {has}"
    yield failure.hit(says + permuted_otherwise(has, named))


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
        "the tensor is one number, without dimensions: .item(), or, where squeeze() met a batch of one, squeeze(1)"
    )


@pitfall.explains(
    r"dimension \d+ out of range of (?P<has>\d+)D tensor",
    r"[Dd]imension specified as -?\d+ but tensor has no dimensions",
    r"slice\(\) cannot be applied to a 0-dim tensor",
    odds=0.9,
)
def too_few_dimensions(failure: Failure) -> Hits:
    has = failure.groups.get("has") or "no"
    cure = (
        "the last is -1" if has != "no" else "x.unsqueeze(0), or torch.stack to join such numbers"
    )
    yield failure.hit(f"the tensor has {has} dimensions and another one is named: {cure}")


@pitfall.explains(r"number of dims don't match in permute", odds=0.95)
def not_all_named(failure: Failure) -> Hits:
    yield failure.hit(
        "permute names each dimension once, and the tensor has more or fewer: permute(0, ...) keeps a batch first, unsqueeze(0) adds what is missing"
    )
