r"""A small number is added to 1 before a logarithm, or 1 is taken from an exponential.

A float32 has seven digits. `1 + x` keeps nothing of an `x` below 6e-8, so `log(1 + x)` is exactly 0 there and has
lost half of its digits at 1e-4; so it is with `exp(x) - 1`. `log1p` and `expm1` compute the same and keep them all.

Cure: `torch.log1p(x)`, `torch.expm1(x)`.

Bad:

```python
import torch

x = torch.tensor([1e-9, 1e-5])
y = torch.log(1 + x)  # here: `log1p`
z = torch.exp(x) - 1  # here: `expm1`
```

Proof:

```python
assert y[0] == 0 and z[0] == 0
assert torch.log1p(x)[0] > 0 and torch.expm1(x)[0] > 0
```

Good:

```python
import torch

x = torch.tensor([1e-9, 1e-5])
y, z = torch.log1p(x), torch.expm1(x)
```

Fine (counts; other numbers):

```python
import torch

y = torch.log(1 + torch.arange(3)) + torch.log(1 + torch.floor(torch.rand(3) * 9))
z = torch.log(2 + torch.rand(3))
w = torch.exp(torch.rand(3)) - 2
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint")


@pitfall.finds(fixes=True)
def near_one(code: Code) -> Hits:
    for node, better, small in code.rounded_near_one():
        name = code.spell(f"torch.{better}", node)
        text = f"{name}({code.text_of(small)})"
        fix = Fix(f"Use {better}", (code.replace(node, text),), "safe") if name else None
        yield code.hit(node, f"{better} keeps the digits that this rounds away", fix=fix)
