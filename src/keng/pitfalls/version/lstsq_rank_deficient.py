r"""A least-squares problem is solved by a driver that cannot see that its matrix is singular.

`torch.linalg.lstsq` has four drivers on the CPU and one on CUDA. That one, `gels`, assumes that the columns are
independent: where two of them agree but for rounding, it gives enormous numbers without a word. The CPU's default,
`gelsy`, and `gelsd` find the rank and give the smallest solution.

Cure: `driver="gelsd"` on the CPU, `torch.linalg.pinv(A) @ b`, or a ridge, `A.mT @ A + 1e-6 * torch.eye(n)`, on CUDA.

Bad:

```python
import torch

torch.manual_seed(0)
x = torch.linspace(1, 2, 20)
A = torch.stack([x, x + 1e-7 * torch.randn(20), x.square()], dim=1)
b = torch.randn(20, 1)
solution = torch.linalg.lstsq(A, b, driver="gels").solution  # here: `gels`
```

Proof:

```python
assert solution.abs().max() > 1e4
assert torch.linalg.lstsq(A, b).solution.abs().max() < 10
```

Good:

```python
import torch

torch.manual_seed(0)
x = torch.linspace(1, 2, 20)
A = torch.stack([x, x + 1e-7 * torch.randn(20), x.square()], dim=1)
b = torch.randn(20, 1)
solution = torch.linalg.lstsq(A, b, driver="gelsd").solution
```

Fine (on the CPU; with a ridge of its own):

```python
import torch

A, b = torch.randn(20, 3), torch.randn(20, 1)
solution = torch.linalg.lstsq(A, b).solution
ridge = torch.cat([A, 1e-3 * torch.eye(3)])
solution = torch.linalg.lstsq(ridge, torch.cat([b, torch.zeros(3, 1)]), driver="gelsy").solution
```

Fine (four points of a plane, in double precision):

```python
import torch

points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
matrix = torch.zeros(4, 3, dtype=torch.float64)
for row, (x, y) in zip(matrix, points):
    row[:] = torch.tensor([x, y, 1.0])
heights = torch.tensor([0.0, 1.0, 2.0, 1.0], dtype=torch.float64)
plane = torch.linalg.lstsq(matrix, heights, driver="gels").solution
```
"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import LeastSquares
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")

DOUBLE = {"torch.float64", "torch.double"}


@pitfall.finds(fixes=True)
def rank_assumed(code: Code) -> Hits:
    for call in code.calls_to("torch.linalg.lstsq"):
        driver = next((k.value for k in call.keywords if k.arg == "driver"), None)
        if driver is not None and code.text_constant(driver) == "gels":
            if _is_double(code, call):  # who takes that has thought of how singular it may be
                continue
            fix = Fix("Take a driver that finds the rank", (code.replace(driver, '"gelsd"'),))
            yield code.hit(
                call, "gels takes the columns for independent: gelsd finds the rank", fix
            )
        elif driver is None and any(code.is_on_cuda(given) for given in call.args):
            yield code.hit(call, "on CUDA this takes the columns for independent", sure=False)


def _is_double(code: Code, call: ast.Call) -> bool:
    made = [value.call for given in call.args[:1] for value in code.origins(given) if value.call]
    said = (each for one in made for each in ast.walk(one))
    return any(isinstance(each, ast.expr) and code.resolve(each) in DOUBLE for each in said)


@pitfall.watches("least.squares")
def rank_is_lower(solved: LeastSquares) -> Hits:
    if solved.rank < solved.columns:
        says = f"the matrix has rank {solved.rank} and {solved.columns} columns"
        yield solved.hit(f"{says}, and {solved.driver} takes it to be full", rank=solved.rank)
