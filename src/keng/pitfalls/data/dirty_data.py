r"""A batch holds values that are no numbers.

One NaN in one sample makes the loss NaN, and the step after it all weights. An empty field of a table is
read as NaN, a division by a constant channel's deviation of 0 gives infinity, a damaged file anything.
What is wrong is in the data, and the error, if any, comes much later.

Cure: look at the whole set once, with `torch.isfinite`; mend, fill or leave out such samples; divide by
`std.clamp(min=1e-6)`.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
x[13, 2] = float("nan")
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for inputs, targets in DataLoader(TensorDataset(x, y), batch_size=8):
    optimizer.zero_grad()
    (model(inputs) - targets).square().mean().backward()  # seen: `sample 5 of batch 2`
    optimizer.step()
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
x[13, 2] = float("nan")
x = x.nan_to_num(nan=0.0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for inputs, targets in DataLoader(TensorDataset(x, y), batch_size=8):
    optimizer.zero_grad()
    (model(inputs) - targets).square().mean().backward()
    optimizer.step()
```

Fine (NaN says what is missing, and the program knows it):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
x = torch.randn(32, 4)
x[::3, 1] = float("nan")
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for inputs in DataLoader(x, batch_size=8):
    missing = inputs.isnan()
    optimizer.zero_grad()
    model(torch.cat([inputs.nan_to_num(), missing.float()], 1)).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import DirtyInput

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("input.dirty")
def values_that_are_no_numbers(seen: DirtyInput) -> Hits:
    which = f"sample {seen.sample} of " if seen.sample is not None else ""
    says = f"{which}batch {seen.batch} holds {seen.not_finite} values that are NaN or infinite"
    yield seen.hit(f"{says}, and `{seen.module}` was given them", not_finite=seen.not_finite)
