r"""A few values or components are asked for that the matrix does not have.

`torch.pca_lowrank` and `svd_lowrank` find the first `q` components, of which a matrix of m rows and n columns has no more than the smaller of the two. `torch.lobpcg` finds `k` of
many eigenvalues of a symmetric matrix, and needs three rows for each of them at least: it is for large, sparse ones.

Cure: `q=min(6, *x.shape)`; `torch.linalg.eigh` or `svd` for small matrices, which give all.

Bad (more components than there are):

```python
import torch

u, s, v = torch.pca_lowrank(torch.ones(3, 4), q=9)  # seen: `q=9`
```

Bad (too small for its solver):

```python
import torch

values, vectors = torch.lobpcg(torch.eye(3), k=2)  # seen: `3 rows`
```

Bad (no square):

```python
import torch

values, vectors = torch.lobpcg(torch.ones(8, 2), k=1)  # seen: `[8, 2]`
```

Good:

```python
import torch

u, s, v = torch.pca_lowrank(torch.ones(3, 4), q=3)
values, vectors = torch.linalg.eigh(torch.eye(3))
```

Message (torch 1.3 to 2.13; `0`):

```text
ValueError: niter(=-1) must be non-negative integer
```

Message (torch 1.3 to 2.13; `flatten`):

```text
ValueError: pca_lowrank input is expected to be 2-dimensional tensor
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"q\(=(?P<q>-?\d+)\) must be non-negative integer and not greater than min\(m, n\)=(?P<n>\d+)",
    odds=0.97,
)
def more_than_its_rank(failure: Failure) -> Hits:
    q, n = failure.groups["q"], failure.groups["n"]
    yield failure.hit(
        f"q={q} components are asked for, and a matrix of these sizes has {n} at most"
    )


@pitfall.explains(
    r"LOBPCG algorithm is not applicable when the number of A rows \(=(?P<rows>\d+)\) is smaller than 3 x the number of requested eigenpairs \(=(?P<k>\d+)\)",
    odds=0.97,
)
def too_small(failure: Failure) -> Hits:
    rows, k = failure.groups["rows"], failure.groups["k"]
    yield failure.hit(
        f"the matrix has {rows} rows, and k={k} wants {3 * int(k)} of them: torch.linalg.eigh for small ones"
    )


@pitfall.explains(r"A must be square, got shape torch\.Size\((?P<came>\[[\d, ]*\])\)", odds=0.97)
def no_square(failure: Failure) -> Hits:
    yield failure.hit(
        f"a matrix of shape {failure.groups['came']} has no eigenvalues: a square one, or its singular values"
    )


pitfall.answers(
    {
        "niter(=": "niter counts the iterations, from 0",
        "pca_lowrank input is expected to be 2-dimensional": "a sparse input is one matrix, a row for each sample: flatten(1) before to_sparse()",
    },
    odds=0.96,
)
