r"""A tensor without dimensions is indexed.

Since PyTorch 0.4 a loss has no dimensions, where it had one of size 1 before: `loss.data[0]`, which
old programs use to read the number, raises an IndexError. (`loss.data` also hides the value from
autograd; nothing of it is needed here.)

Cure: `loss.item()` gives the Python number.

Bad:

```python
import torch
from torch import nn

criterion = nn.MSELoss()
loss = criterion(torch.ones(4, 1), torch.zeros(4, 1))
print(loss.data[0])  # here: a loss has no dimensions
```

Bad (a full sum):

```python
import torch

total = torch.ones(4).sum()
running = 0.0
running += total[0]  # here: `total.item() gives the number`
```

Bad (a counter that is set back):

```python
import torch

count = torch.ones(4).sum()
count[0] = 0.0  # here: a full sum has no dimensions
```

Bad (what backward is called on):

```python
import torch
from torch import nn


def criterion(output, target):
    return ((output - target) ** 2).mean()


model = nn.Linear(4, 1)
loss = criterion(model(torch.ones(2, 4)), torch.zeros(2, 1))
loss.backward()
print(loss.data[0])  # here: backward starts from a single number
```

Good:

```python
import torch
from torch import nn

criterion = nn.MSELoss()
loss = criterion(torch.ones(4, 1), torch.zeros(4, 1))
print(loss.item())
```

Fine (losses and sums that keep a dimension):

```python
import torch
import torch.nn.functional as F
from torch import nn

each = nn.MSELoss(reduction="none")(torch.ones(4), torch.zeros(4))
first = each[0]
rows = torch.ones(4, 2).sum(1)
first = rows.data[0]
per_item = F.cross_entropy(torch.ones(4, 3), torch.zeros(4).long(), reduction="none")
first = per_item[0]


def mean_of(values):
    return values.mean(dim=0)


first = mean_of(torch.ones(4, 2))[0]
for n in range(4):
    value = each[n]
```

Fine (a dimension is added, both ages of PyTorch are served, or the tensor carries a list of its terms):

```python
import torch
from torch import nn

loss = nn.MSELoss()(torch.ones(4, 1), torch.zeros(4, 1))
stacked = torch.cat([loss[None], loss[...].reshape(1)])
try:
    value = loss.data[0]
except IndexError:
    value = loss.item()
loss.terms = [torch.ones(2), torch.ones(3)]
first = loss.terms[0]
```

Message (torch 0.4.0; `tensor has no dimensions to index; tensor.item() gives`):

```text
IndexError: invalid index of a 0-dim tensor. Use tensor.item() to convert a 0-dim tensor to a Python number
```

Message (NumPy, of a tensor without dimensions; `.item()`):

```text
Traceback (most recent call last):
  File "eval.py", line 28, in test
    total += loss.cpu().data.numpy()[0] * n
IndexError: too many indices for array: array is 0-dimensional, but 1 were indexed
```

Message (torch 0.5 to 2.13, of a last batch of one; `squeeze(1), or view(-1)`):

```text
  File "/content/models/Mem2Seq.py", line 202, in evaluate_batch
    next_in = [top_ptr_i.squeeze()[i].item() if int(toppi.squeeze()[i].item()) < input_lengths[i]-1 else 0 for i in range(batch_size)]
IndexError: invalid index of a 0-dim tensor. Use tensor.item() to convert a 0-dim tensor to a Python number
```

Message (torch 0.5 to 2.13, of a loss; `total_loss.item()`):

```text
  File "train.py", line 7, in <module>
    print(total_loss.data[0])
IndexError: invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number
```
"""

import ast
import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def index_into_a_number(code: Code) -> Hits:
    for item in code.of(ast.Subscript):
        if not isinstance(item.slice, ast.Constant) or item.slice.value != 0:
            continue
        base = item.value
        if isinstance(base, ast.Attribute) and base.attr == "data":
            base = base.value
        if not code.is_scalar(base) or code.probed(item):
            continue
        name = code.text_of(base)
        read = Fix("Read the number", (code.replace(item, f"{code.operand(base)}.item()"),), "safe")
        fix = read if isinstance(item.ctx, ast.Load) else None
        yield code.hit(item, f"`{name}` has no dimensions to index", fix=fix)


SUMMED = re.compile(r"loss|err|\.data\[0\]|\.(?:sum|mean)\(\)\[", re.IGNORECASE)
"""Lines that read one number of what is one, as before 0.4."""


@pitfall.explains(r"invalid index of (?:a )?0-dim tensor", odds=0.95)
def indexed(failure: Failure) -> Hits:
    names = set(re.findall(r"([\w.]+?)(?:\.data)?\[", failure.line))
    name = names.pop() if len(names) == 1 else "tensor"
    says = f"`{name}` has no dimensions to index; `{name}.item()` gives the number"
    if ".squeeze()" in failure.line:
        says = "squeeze() without a dimension takes that of a batch of one as well: squeeze(1), or view(-1)"
    elif not SUMMED.search(failure.line):
        says += f", or `{name}.view(-1)` keeps a dimension where squeeze() met a batch of one"
    yield failure.hit(says)


@pitfall.explains(r"too many indices for array", odds=0.9)
def as_an_array(failure: Failure) -> Hits:
    if ".numpy()[0]" in failure.line:
        yield failure.hit(
            "a tensor without dimensions gives an array without any: .item(), not .numpy()[0]"
        )
