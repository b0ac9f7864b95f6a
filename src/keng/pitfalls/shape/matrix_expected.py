r"""A matrix or vector is wanted, and a tensor of other dimensions comes.

`torch.mm`, `mv`, `dot`, `t` and `outer` take exactly two dimensions, or one: unlike `@` and `matmul` they know no batches and
do not broadcast. `inverse` and its kin want square matrices.

Cure: `@` or `torch.matmul` for batches; `x.transpose(-2, -1)` or `x.mT` for the transposed matrices of a batch;
`(a * b).sum(-1)` for products of many vectors.

Bad (a batch):

```python
import torch

x, weight = torch.ones(8, 5, 4), torch.ones(4, 2)
y = torch.mm(x, weight)  # seen: `torch.matmul`
```

Bad (many vectors):

```python
import torch

a, b = torch.ones(8, 3), torch.ones(8, 3)
products = torch.dot(a, b)  # seen: `1D`
```

Bad (transposed):

```python
import torch

x = torch.ones(8, 5, 4)
y = x.t()  # seen: `3D`
```

Bad (a vector of another length):

```python
import torch

y = torch.ones(2, 3) @ torch.ones(4)  # seen: `2x3`
```

Bad (not square):

```python
import torch

inverse = torch.linalg.inv(torch.ones(2, 3))  # seen: `2 by 3`
```

Bad (a vector that is factored):

```python
import torch

inverse = torch.linalg.pinv(torch.ones(2))  # seen: `linalg.pinv`
```

Good:

```python
import torch

x, weight = torch.ones(8, 5, 4), torch.ones(4, 2)
y = x @ weight
z = x.transpose(-2, -1)
products = (x[:, 0] * x[:, 1]).sum(-1)
inverse = torch.linalg.pinv(torch.ones(2, 3))
```

Message (torch 1.8 to 2.13, of arguments in the order of the older solve; `takes the square one first`):

```text
RuntimeError: linalg.solve: A must be batches of square matrices, but they are 501 by 10 matrices
```

Message (torch 1.8 to 2.13; `torch.linalg.svd`):

```text
RuntimeError: linalg.eigh: A must be batches of square matrices, but they are 2 by 3 matrices
```

Message (torch 1.8 to 2.13; `x.mT @ x`):

```text
RuntimeError: linalg.cholesky: A must be batches of square matrices, but they are 20 by 3 matrices
```

Message (torch 1.8 to 2.13; `are to be equal`):

```text
RuntimeError: linalg.det: A must be batches of square matrices, but they are 2 by 3 matrices
```

Message (torch 1.8 to 2.13; `matrix.T fits`):

```text
RuntimeError: size mismatch, got input (3), mat (3x4), vec (3)
```

Message (torch 1.0 to 2.13; `torch.matmul`):

```text
RuntimeError: mat1 must be a matrix, got 3-D tensor
```

Message (torch 1.0 to 1.4; `torch.matmul`):

```text
RuntimeError: matrices expected, got 3D, 2D tensors at /pytorch/aten/src/TH/generic/THTensorMath.cpp:36
```

Message (torch 1.0 to 2.13):

```text
RuntimeError: vector + matrix @ vector expected, got 1, 2, 2
```

Message (torch 1.7 to 2.13):

```text
RuntimeError: outer: Expected 1-D argument self, but got 2-D
```

Message (torch 0.3 and 0.4):

```text
RuntimeError: matrix and matrix expected at /pytorch/torch/lib/TH/generic/THTensorMath.c:1434
```

Message (torch 2.13; `linalg.svd`):

```text
RuntimeError: linalg.svd: The input tensor A must have at least 2 dimensions.
```

Message (torch 2.13; `tril`):

```text
RuntimeError: tril: input tensor must have at least 2 dimensions
```

Message (torch 2.13; `trace`):

```text
RuntimeError: trace: expected a matrix, but got tensor with dim 1
```

Message (torch 2.13; `torch.diagonal`):

```text
RuntimeError: diag(): Supports 1D or 2D tensors. Got 3D
```

Message (torch 2.13; `2x2 of the one`):

```text
RuntimeError: linalg.solve: Incompatible shapes of A and B for the equation AX = B (2x2 and 3x1)
```

Message (torch 2.13; `3 of the one`):

```text
RuntimeError: contracted dimensions need to match, but first has size 3 in dim -1 and second has size 2 in dim 0
```

Message (torch 2.13; `3 of the one`):

```text
RuntimeError: X1 and X2 must have the same number of columns. X1: 3 X2: 4
```

Message (an older torch; `2-D`):

```text
RuntimeError: dot: Expected 1-D argument self, but got 2-D
```

Message (an older torch; `64x10`):

```text
RuntimeError: size mismatch, got 64, 64x10,5
```

Message (torch 1.0 to 2.13; `a single number`):

```text
RuntimeError: both arguments to matmul need to be at least 1D, but they are 0D and 2D
```

Message (torchaudio 0.12 to 2.8, torchaudio.save; `(channels, samples)`):

```text
RuntimeError: Input Tensor has to be 2D.
```

Message (torch 2.13; `linalg.svd`):

```text
RuntimeError: linalg.svd: input should have at least 2 dimensions, but has 1 dimensions instead
```

Message (torch 1.0 to 1.5, CUDA):

```text
RuntimeError: 2D tensors expected, got 3D, 2D tensors at /pytorch/aten/src/THC/generic/THCTensorMathBlas.cu:207
```

Message (torch 1.7; `the matrix is 4x3, the vector 5`):

```text
RuntimeError: size mismatch, get 4, 4x3,5
```

Message (torch 0.1 to 1.5; `the matrix is 4 x 3, the vector 5`):

```text
RuntimeError: size mismatch, [4 x 3], [5] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:1965
```
"""

from keng.explain.advice.matrices import beside_a_vector, square_otherwise
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"\b(?:self|mat1|mat2|input|n) must be a matrix\b",
    r"matrices expected, got|tensors must be 2-D|matrix expected, got \d|: (?:expected a matrix|[AB] should (?:be 2 dim|have [12])) ",
    r"\b2D tensors? (?:and 1D tensor )?expected, got|(?:matrix|vector) and (?:matrix|vector) expected|to (?:matmul|linear) need to be at least 1D",
    odds=0.93,
)
def no_matrix(failure: Failure) -> Hits:
    number = "one of the two is a single number, without dimensions: a * b"
    batch = "mm takes two matrices and no batches: torch.matmul or @"
    yield failure.hit(number if "at least 1D" in failure.message else batch)


@pitfall.explains(
    r"1D tensors expected, (?:but )?got (?P<came>[\dD, and]{2,30}\d?D?)",
    r"(?:outer|v?dot|addr): Expected 1-D argument \w+, but got (?P<came>\d-D)",
    odds=0.95,
)
def no_vector(failure: Failure) -> Hits:
    yield failure.hit(
        f"vectors are wanted (1D) and {failure.groups['came'].strip()} come: (a * b).sum(-1) for pairs of many, a @ b.mT of each with each"
    )


@pitfall.explains(
    r"t\(\) expects a tensor with <= 2 dimensions, but self is (?P<came>\dD)", odds=0.96
)
def transposed(failure: Failure) -> Hits:
    yield failure.hit(
        f"t() is for matrices and this is {failure.groups['came']}: x.transpose(-2, -1)"
    )


@pitfall.explains(
    r"size mismatch, got input \(\d+\), mat \((?P<matrix>[\dx]+)\), vec \((?P<vector>\d+)\)",
    r"vector \+ matrix @ vector expected, got (?P<came>[\d, ]+)",
    r"size mismatch, g[eo]t \d+, (?P<matrix>\d+x\d+),(?P<vector>\d+)",
    r"size mismatch, \[(?P<matrix>\d+ x \d+)\], \[(?P<vector>\d+)\]",
    odds=0.95,
)
def product_with_a_vector(failure: Failure) -> Hits:
    matrix = failure.groups.get("matrix", "")
    sizes = beside_a_vector(matrix, failure.groups["vector"]) if matrix else ""
    yield failure.hit(f"a matrix is multiplied with a vector that does not fit{sizes}")


@pitfall.explains(
    r"(?:(?P<what>\w{1,30}): A )?must be batches of square matrices, but they are (?P<size>\d+ by \d+) matrices",
    odds=0.96,
)
def not_square(failure: Failure) -> Hits:
    cure = square_otherwise(failure.groups["what"] or "")
    yield failure.hit(f"a square matrix is wanted, and it is {failure.groups['size']}: {cure}")


@pitfall.explains(
    r"\b(?P<what>(?:linalg\.)?\w+): (?:The )?input(?: tensor)?(?: \w+)? (?:must|should) have at least 2 dimensions",
    r"\b(?P<what>trace): expected a matrix, but got tensor with dim \d",
    r"\b(?P<what>(?:torch|linalg)\.\w+)(?:\((?!\w+\{\[\d+, ).{1,60}?\))?: [Ee]xpected (?:a )?tensor with 2 or more dimensions",
    odds=0.95,
)
def a_vector_for_a_matrix(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} wants a matrix, and what comes has fewer dimensions"
    )


@pitfall.explains(
    r"Incompatible shapes of A and B for the equation (?:AX|XA) = B \((?P<a>[\dx]+) and (?P<b>[\dx]+)\)",
    r"contracted dimensions need to match, but first has size (?P<a>\d+) in dim -?\d+ and second has size (?P<b>\d+)",
    r"X1 and X2 must have the same number of columns\. X1: (?P<a>\d+) X2: (?P<b>\d+)",
    odds=0.96,
)
def sizes_that_go_together(failure: Failure) -> Hits:
    a, b = failure.groups["a"], failure.groups["b"]
    yield failure.hit(f"the two tensors do not fit: {a} of the one goes with {b} of the other")


WAVE = "torchaudio.save takes a wave of (channels, samples): x.squeeze(0), or x.unsqueeze(0)"
DIAGONALS = "diag() knows no batches: torch.diagonal or torch.diag_embed"
pitfall.answers(
    {"Input Tensor has to be 2D": WAVE, "diag(): Supports 1D or 2D tensors": DIAGONALS}, odds=0.95
)
