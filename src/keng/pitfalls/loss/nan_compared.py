r"""NaN is looked for by comparison.

NaN equals nothing, itself included: `x == float("nan")` is False for every x, `x != float("nan")` True.
A check so written never finds a loss that has become NaN, and a mask so built selects nothing.

Cure: `torch.isnan(x)` for tensors, `math.isnan(x)` for numbers; `torch.isfinite` sees infinities too.

Bad:

```python
import torch

loss = torch.tensor(float("nan")).mean()
found = False
if loss == float("nan"):  # here: never true
    found = True
```

Proof:

```python
assert not found
```

Bad (a mask, and a number):

```python
import math

import torch

x = torch.tensor([1.0, float("nan")]).clone()
kept = x[x != torch.nan]  # here: keeps all
bad = float(kept.sum())
stop = bad == math.nan  # here: never true
```

Proof:

```python
assert len(kept) == 2 or stop is False
assert kept.isnan().any()
```

Bad (asked whether it is that one):

```python
import torch

loss = torch.tensor(float("nan")).mean()
found = loss is float("nan")  # here: never true
```

Proof:

```python
assert not found
```

Bad (a number read from a tensor is never that one):

```python
import numpy as np
import torch

loss = torch.tensor(float("nan")).mean()
found = loss.item() is np.nan  # here: never true
```

Proof:

```python
assert not found
```

Good:

```python
import math

import torch

loss = torch.tensor(float("nan")).mean()
found = bool(torch.isnan(loss)) or math.isnan(loss.item())
```

Fine (comparison with other numbers, with itself, and filling in):

```python
import math

import torch

x = torch.tensor([1.0, float("nan")])
infinite = x == float("inf")
nans = x != x
values = {"missing": float("nan")}
worst = math.nan
unset = worst is math.nan
filled = torch.full((2,), float("nan"))
same = str(worst) == "nan"
```
"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.source import Code, Kind

pitfall = Pitfall(__name__, __doc__, severity="error")

COMPARES = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)
ASKS = {Kind.TENSOR: "torch.isnan", Kind.NUMBER: "math.isnan"}


@pitfall.finds(fixes=True)
def compared_with_nan(code: Code) -> Hits:
    speaks = code.names_torch and b"nan" in code.data.lower()
    for test in code.of(ast.Compare) if speaks else ():
        sides = [test.left, *test.comparators]
        if len(sides) != 2 or not isinstance(test.ops[0], COMPARES):
            continue
        others = [side for side in sides if not code.is_nan(side)]
        if len(others) != 1:
            continue
        other, unequal = others[0], isinstance(test.ops[0], (ast.NotEq, ast.IsNot))
        nan = sides[other is sides[0]]  # `is np.nan` finds that one object, which no call gives
        new = isinstance(nan, ast.Call) or code.gives_a_new_number(other)
        if isinstance(test.ops[0], (ast.Is, ast.IsNot)) and not new:
            continue
        asks = code.spell(ASKS.get(code.kind_of(other), "no.such"), test)
        mask = "~" if code.kind_of(other) is Kind.TENSOR else "not "
        text = f"{mask if unequal else ''}{asks}({code.text_of(other)})"
        fix = Fix("Ask whether it is NaN", (code.replace(test, text),)) if asks else None
        never = "always true" if unequal else "never true"
        yield code.hit(test, f"`{code.text_of(test)}` is {never}: NaN equals nothing", fix=fix)
