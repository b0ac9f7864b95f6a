r"""Matrices and vectors of a function of linear algebra do not fit each other.

In a product the columns of the first are the rows of the second; `torch.inner` instead goes along the last dimension of both. A system of equations has as many
right sides' rows as it has rows. A norm is taken over one dimension (of vectors) or two (of matrices), so what has three needs to be told which.

Cure: print both shapes, and transpose the one that stands wrongly, `b.mT`; `dim=(-2, -1)` for a norm of each matrix in a batch; `torch.linalg.vector_norm`
for a norm of all numbers.

Bad (a chain):

```python
import torch

a = torch.ones(2, 4)
product = torch.linalg.multi_dot([a, a])  # seen: `4 columns`
```

Bad (a chain of one):

```python
import torch

product = torch.linalg.multi_dot([torch.ones(2, 4)])  # seen: `two`
```

Bad (an inner product):

```python
import torch

product = torch.inner(torch.ones(2, 4), torch.ones(4, 3))  # seen: `[2, 4] and [4, 3]`
```

Bad (equations without right sides):

```python
import torch

x = torch.linalg.lstsq(torch.ones(5, 2), torch.ones(4, 1))  # seen: `rows`
```

Bad (a vector of right sides):

```python
import torch

x = torch.linalg.lstsq(torch.ones(5), torch.ones(5))  # seen: `unsqueeze`
```

Bad (a norm over three dimensions):

```python
import torch

size = torch.linalg.norm(torch.ones(2, 3, 4), dim=(0, 1, 2))  # seen: `[0, 1, 2]`
```

Bad (a norm of a batch):

```python
import torch

size = torch.norm(torch.ones(2, 3, 4), p="nuc")  # seen: `dim=(-2, -1)`
```

Bad (vectors in a cross product):

```python
import torch

normal = torch.linalg.cross(torch.ones(3), torch.ones(2, 3))  # seen: `unsqueeze`
```

Bad (two inputs of a layer):

```python
import torch
from torch import nn

y = nn.Bilinear(4, 5, 2)(torch.ones(2, 4), torch.ones(3, 5))  # seen: `2 and 3`
```

Bad (dimensions that go together):

```python
import torch

a, b = torch.ones(2, 3), torch.ones(3, 2)
product = torch.tensordot(a, b, dims=([0], [0, 1]))  # seen: `as many`
```

Bad (a number of dimensions):

```python
import torch

a, b = torch.ones(2, 3), torch.ones(3, 2)
product = torch.tensordot(a, b, dims=-1)  # seen: `dims=-1`
```

Bad (powers of a matrix):

```python
import torch

powers = torch.vander(torch.ones(2, 3))  # seen: `torch.linalg.vander`
```

Good:

```python
import torch
from torch import nn

a = torch.ones(2, 4)
product = torch.linalg.multi_dot([a, a.mT])
product = torch.inner(a, torch.ones(3, 4))
x = torch.linalg.lstsq(torch.ones(5, 2), torch.ones(5, 1))
size = torch.linalg.vector_norm(torch.ones(2, 3, 4), dim=(0, 1, 2))
normal = torch.linalg.cross(torch.ones(1, 3), torch.ones(2, 3))
y = nn.Bilinear(4, 5, 2)(torch.ones(3, 4), torch.ones(3, 5))
product = torch.tensordot(a, a, dims=([0, 1], [0, 1]))
```

Message (torch 2.13):

```text
RuntimeError: torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.
```

Message (torch 2.13):

```text
RuntimeError: linalg.matrix_norm: dims must be different. Got (0, 0)
```

Message (torch 2.13):

```text
RuntimeError: linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32
```

Message (torch 2.13):

```text
RuntimeError: Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got 1 != 6
```

Message (torch 2.13):

```text
RuntimeError: tensordot expects dims < ndim_a or ndim_b, but got dims=3
```

Message (torch 2.13):

```text
RuntimeError: bilinear(): bias size does not match weight size: got 4 but expected 5
```

Message (torch 2.13):

```text
RuntimeError: bilinear(): input dimensions do not match: got 2 and 3
```

Message (torch 2.13; `2 equations`):

```text
RuntimeError: Incompatible matrix sizes for cholesky_solve: each A matrix is 2 by 2 but each b matrix is 3 by 1
```

Message (torch 2.13):

```text
RuntimeError: Pivots given to lu_solve must all be greater or equal to 1. Did you properly pass the result of lu_factor?
```

Bad (more dimensions than there are):

```python
import torch

y = torch.tensordot(torch.ones(2, 3), torch.ones(3, 2), dims=5)  # seen: `dims=5`
```

Bad (a shape that is none):

```python
import torch

places = torch.unravel_index(torch.tensor([1]), (2, 2.0))  # seen: `tuple of ints`
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.decompositions import MISFITS

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"multi_dot\(\): tensors (?P<one>\d+) and (?P<other>\d+) with shapes \[(?:\d+, )*(?P<columns>\d+)\] and \[(?P<rows>\d+)[\d, ]*\] cannot "
    r"be multiplied",
    odds=0.97,
)
def chain(failure: Failure) -> Hits:
    one, other, columns, rows = (failure.groups[key] for key in ("one", "other", "columns", "rows"))
    yield failure.hit(
        f"number {one} of the chain has {columns} columns, and number {other} has {rows} rows: they are equal in a product"
    )


@pitfall.explains(
    r"inner\(\) the last dimension must match on both input tensors but got shapes (?P<shapes>\[[\d, ]*\] and \[[\d, ]*\])",
    odds=0.97,
)
def last_dimensions(failure: Failure) -> Hits:
    yield failure.hit(
        f"inner() goes along the last dimension of both, {failure.groups['shapes']}: matmul for a product of matrices"
    )


@pitfall.explains(
    r"linalg\.norm: If dim is specified, it must be of length 1 or 2\. Got (?P<dims>\[[-\d, ]*\])",
    r"matrix_norm: dim must be a 2-tuple\. Got (?P<dims>[-\d ]*)",
    odds=0.97,
)
def norm_over_others(failure: Failure) -> Hits:
    dims = " ".join(failure.groups["dims"].split())
    yield failure.hit(
        f"this norm is one of matrices, and is asked for over the dimensions {dims}: dim=(-2, -1), or vector_norm for any of them"
    )


@pitfall.explains(
    r"bilinear\(\): input batch dimensions do not match at dim (?P<dim>\d+): got (?P<one>\d+) and (?P<other>\d+)",
    odds=0.97,
)
def batches(failure: Failure) -> Hits:
    dim, one, other = (failure.groups[key] for key in ("dim", "one", "other"))
    yield failure.hit(
        f"the two inputs are one pair for each sample, and have {one} and {other} in dimension {dim}"
    )


@pitfall.explains(
    r"tensordot expects dims (?:>= 0|< ndim_a or ndim_b), but got dims=(?P<dims>-?\d+)", odds=0.97
)
def no_number_of_dimensions(failure: Failure) -> Hits:
    dims = failure.groups["dims"]
    says = f"dims={dims} is no number of dimensions; single ones, counted from the end, stand in two lists"
    if int(dims) > 0:
        says = f"dims={dims} is more than a tensor has: so many of the last ones meet the first ones of the other"
    yield failure.hit(says)


@pitfall.explains(
    r"Incompatible matrix sizes for (?P<what>[\w.]{2,40}): each A matrix is (?P<n>\d+) by \d+ but each b matrix is (?P<rows>\d+) by",
    odds=0.97,
)
def sides_of_an_equation(failure: Failure) -> Hits:
    what, n, rows = (failure.groups[key] for key in ("what", "n", "rows"))
    yield failure.hit(f"{what} has {n} equations and {rows} right sides: one row of b for each")


pitfall.answers(MISFITS, odds=0.96)
