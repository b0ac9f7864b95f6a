r"""The result of a tensor operation is thrown away.

Tensor methods whose names end in an underscore change the tensor; the others return a new one and leave
it as it was. `x.float()` or `x.unsqueeze(0)` as a statement does nothing, and what follows meets the old
dtype or the old shape.

Cure: assign the result, `x = x.float()`; where autograd allows it, the method with an underscore changes
the tensor itself.

Bad:

```python
import torch

x = torch.tensor([[1, 2], [3, 4]])
x.float()  # here: x stays int64
x.unsqueeze(0)  # here: x stays a matrix
```

Proof:

```python
assert x.dtype is torch.int64 and x.dim() == 2
```

Bad (values):

```python
import torch

scores = torch.randn(4)
mask = torch.tensor([True, False, True, False])
scores.masked_fill(mask, float("-inf"))  # here: masked_fill_ changes the tensor
scores.clamp(min=0)  # here: clamp_ changes the tensor
```

Proof:

```python
assert scores.isfinite().all() and scores.min() < 0
```

Bad (what comes of it):

```python
import torch

x = torch.ones(2, 3, dtype=torch.float64)
weight = torch.ones(3, 2)
x.float()  # here: x stays float64
y = x @ weight
```

Bad (functions):

```python
import torch
import torch.nn.functional as F

rows, x = torch.empty(0, 3), torch.randn(4, 3)
torch.cat([rows, x])  # here: rows stays empty
F.normalize(x, dim=1)  # here: x keeps its lengths
```

Proof:

```python
assert len(rows) == 0 and not torch.allclose(x.norm(dim=1), torch.ones(4))
```

Good:

```python
import torch

x = torch.tensor([[1, 2], [3, 4]])
x = x.float().unsqueeze(0)
scores = torch.randn(4)
scores.masked_fill_(scores < 0, 0.0)
```

Fine (modules change in place; sets and lists have such methods too; a probe):

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
model.half()
model.float()
seen = set()
seen.add(1)
seen.clear()
x = torch.ones(3)
torch.clamp(x, max=0.5, out=x)
torch.nn.functional.relu(x, inplace=True)
try:
    x.view(2)
except RuntimeError:
    pass
```

Fine (the time that it takes):

```python
import time

import torch

x = torch.ones(3)
start = time.perf_counter()
for _ in range(10):
    x.clone()
elapsed = time.perf_counter() - start
```
"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.source import Code, Kind

pitfall = Pitfall(__name__, __doc__, severity="error")

RETURNS = frozenset(
    """
    float long half double int short bool bfloat16 byte char type detach contiguous clone view reshape
    permute transpose t squeeze unsqueeze flatten expand repeat masked_fill clamp clip scatter index_fill
    index_add index_copy fill_diagonal flip roll abs neg exp log sqrt pow add sub mul div relu sigmoid
    tanh round floor ceil type_as expand_as view_as swapaxes movedim nan_to_num
    """.split()
)
FUNCTIONS = frozenset(
    """
    cat concat stack clamp clip relu leaky_relu gelu elu sigmoid tanh softmax log_softmax normalize dropout
    permute transpose squeeze unsqueeze reshape flatten where flip roll masked_fill one_hot
    """.split()
)


@pitfall.finds(fixes=True)
def result_dropped(code: Code) -> Hits:
    for call, receiver, method in code.discarded_calls():
        if method not in RETURNS or not isinstance(
            receiver, (ast.Name, ast.Attribute, ast.Subscript)
        ):
            continue
        if code.kind_of(receiver) is not Kind.TENSOR or code.probed(call) or code.is_timed(call):
            continue
        name = code.text_of(receiver)
        fix = None
        if code.read_again(receiver):
            fix = Fix(f"Assign the result to `{name}`", (code.insert(call, f"{name} = "),))
        yield code.hit(call, f"`{name}` stays as it was; {method}() returns a new tensor", fix=fix)


@pitfall.finds
def result_of_a_function_dropped(code: Code) -> Hits:
    for call in code.calls_discarded():
        if not code.may_be_named(call.func, FUNCTIONS):
            continue
        home, _, name = code.resolve(call.func).rpartition(".")
        into = any(k.arg in ("out", "inplace", None) for k in call.keywords) or len(call.args) > 3
        if home not in ("torch", "torch.nn.functional") or name not in FUNCTIONS or into:
            continue
        if not code.probed(call) and not code.is_timed(call):
            yield code.hit(
                call, f"{name}() changes nothing; it returns a new tensor, which is dropped"
            )


pitfall.says(r"to have the same dtype, but got", odds=0.3)
