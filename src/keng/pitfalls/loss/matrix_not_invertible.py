r"""A matrix cannot be factorized or inverted.

`torch.linalg.inv`, `solve`, `cholesky` and `svd` fail on matrices that are singular, not positive
definite, or hold NaN. Covariances of few samples, kernels of equal points, and matrices that have become
NaN in training are the usual ones; float32 makes a nearly singular one singular.

Cure: add a small multiple of the identity, `a + 1e-6 * torch.eye(n)`; float64; `torch.linalg.lstsq` or
`pinv`; check `torch.isfinite(a).all()` first.

Bad (singular):

```python
import torch

a = torch.ones(2, 2)
inverse = torch.linalg.inv(a)  # seen: `singular`
```

Bad (not positive definite):

```python
import torch

a = torch.tensor([[1.0, 2.0], [2.0, 1.0]])
factor = torch.linalg.cholesky(a)  # seen: `not positive definite`
```

Bad (not finite):

```python
import torch

a = torch.full((2, 2), float("nan"))
u, s, v = torch.linalg.svd(a)  # seen: `NaN`
```

Bad (values that are none):

```python
import torch

covariance = torch.full((2, 2), float("nan"))
values, vectors = torch.linalg.eig(covariance)  # seen: `NaN`
```

Bad (a factor with dimensions behind it):

```python
import torch

factor = torch.linalg.cholesky(torch.eye(3) + 0.1)
inverse = torch.cholesky_inverse(factor[:, :, None, None])  # seen: `the last two dimensions`
```

Good:

```python
import torch

a = torch.ones(2, 2)
inverse = torch.linalg.inv(a + 1e-3 * torch.eye(2))
```

Message (torch 1.11 to 2.13, of a matrix of NaN; `holds NaN, or`):

```text
torch._C._LinAlgError: linalg.cholesky: The factorization could not be completed because the input is not positive-definite (the leading minor of order 1 is not positive-definite).
```

Message (torch 1.11 to 2.13, of a matrix of NaN; `isfinite(a)`):

```text
torch._C._LinAlgError: linalg.eigh: The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated eigenvalues (error code: 2).
```

Message (torch 1.8):

```text
RuntimeError: inverse_cpu: U(2,2) is zero, singular U.
```

Message (an older torch, CUDA; `positive definite`):

```text
RuntimeError: cholesky_cuda: For batch 0: U(1,1) is zero, singular U.
```

Message (torch 1.0 to 1.9):

```text
RuntimeError: svd_cuda: the updating process of SBDSDC did not converge (error: 1)
```

Message (an older torch, CUDA):

```text
RuntimeError: MAGMA getrf: U(1,1) is 0, U is singular at /pytorch/aten/src/THC/generic/THCTensorMathMagma.cu:382
```

Message (an older torch; `identity`):

```text
RuntimeError: Lapack Error potrf : the leading minor of order 3 is not positive definite at /pytorch/aten/src/TH/generic/THTensorLapack.cpp:617
```

Message (an older torch; `NaN`):

```text
RuntimeError: Lapack Error syev : 2 off-diagonal elements didn't converge to zero at /pytorch/aten/src/TH/generic/THTensorLapack.cpp:388
```

Message (an older torch; `NaN`):

```text
RuntimeError: symeig_cpu: the algorithm failed to converge; 5 off-diagonal elements of an intermediate tridiagonal form did not converge to zero.
```

Message (torch 0.1 to 1.1):

```text
RuntimeError: invalid argument 1: A should be square at /pytorch/torch/lib/TH/generic/THTensorLapack.c:50
```

Message (torch 2.13):

```text
RuntimeError: torch.linalg.lu_factor: U[1,1] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.legacy_messages import SQUARE

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(SQUARE, odds=0.93)
def not_square(failure: Failure) -> Hits:
    yield failure.hit(
        "what is inverted or factorized is a square matrix, with batches before it, (N, n, n): lstsq or pinv for one that is not square"
    )


@pitfall.explains(
    r"(?:the input is not positive-definite \(the )?leading minor of order (?P<order>\d+) is not positive[- ]definite|the input is not positive-definite",
    r"\bcholesky(?:_cpu|_cuda)?: (?:For batch \d+: )?U\(\d+, ?\d+\) is zero, singular U",
    odds=0.96,
)
def not_positive_definite(failure: Failure) -> Hits:
    if failure.groups.get("order") == "1":
        yield failure.hit(
            "the matrix is no covariance: it holds NaN, or its first diagonal element is 0 or below"
        )
        return
    yield failure.hit(
        "the matrix is not positive definite, as not every symmetric one is: a small multiple of the identity where only rounding "
        "made it so, else A @ A.mT + eps * I, or linalg.solve, which takes any"
    )


@pitfall.explains(
    r"\bcholesky_inverse: (?:\(Batch element \d+\): )?The diagonal element (?P<n>\d+) is zero",
    odds=0.96,
)
def no_factor(failure: Failure) -> Hits:
    yield failure.hit(
        f"cholesky_inverse takes the factor that cholesky gave, in the last two dimensions, and element {failure.groups['n']} of its diagonal is zero: batches come first"
    )


@pitfall.explains(
    r"because the input matrix is singular|failed to factorize batch element",
    r"is (?:zero, |0, U is )singular|is zero and using it on lu_solve",
    odds=0.95,
)
def singular(failure: Failure) -> Hits:
    yield failure.hit(
        "the matrix, which is of the last two dimensions, is singular: rows depend on each other; lstsq or pinv, or add to its diagonal"
    )


@pitfall.explains(
    r"failed to converge because the input matrix (?P<why>contained non-finite values|is ill-conditioned)",
    r"(?P<why>input tensor should not contain infs or NaNs)",
    odds=0.95,
)
def not_finite(failure: Failure) -> Hits:
    finite = "ill" in failure.groups["why"]
    yield failure.hit(
        "the matrix holds NaN, see torch.isfinite(a).all(), or is ill-conditioned: float64"
        if finite
        else "the matrix holds NaN or infinity, of the data or of weights that diverged: torch.isfinite(x).all() finds where it begins"
    )


@pitfall.explains(
    r"the updating process of SBDSDC did not converge|off-diagonal elements (?:of [\w ]{1,60} did not|didn't) converge",
    odds=0.95,
)
def decomposition_in_old_words(failure: Failure) -> Hits:
    yield failure.hit(
        "the decomposition does not converge: NaN or infinity in the matrix, or float64 is needed"
    )
