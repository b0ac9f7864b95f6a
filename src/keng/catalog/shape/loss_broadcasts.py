r"""Predictions and targets of different shapes are broadcast in the loss.

A model gives `(N, 1)`, the targets are `(N,)`: `mse_loss`, `l1_loss` and `smooth_l1_loss` compare every
prediction with every target, N * N pairs, and their mean is taken. The model then learns to predict the mean of the
targets; training seems to run. PyTorch only warns, and Python shows a warning once for each line.

Cure: one shape for both: `prediction.squeeze(1)` or `target.unsqueeze(1)`, and never a bare `squeeze()`, which
takes the batch away too when it is of one.

Bad:

```python
import torch
import torch.nn.functional as F

prediction = torch.tensor([[1.0], [2.0], [3.0]])
target = torch.tensor([1.0, 2.0, 3.0])
loss = F.mse_loss(prediction, target)
```

Proof:

```python
assert loss > 1
assert F.mse_loss(prediction.squeeze(1), target) == 0
```

Bad (where warnings are errors):

```python
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("error")
prediction, target = torch.zeros(4, 1), torch.zeros(4)
loss = F.l1_loss(prediction, target)  # seen: (4, 1) and (4,)
```

Good:

```python
import torch
import torch.nn.functional as F

prediction = torch.tensor([[1.0], [2.0], [3.0]])
target = torch.tensor([1.0, 2.0, 3.0])
loss = F.mse_loss(prediction.squeeze(1), target)
```

Message (torch 1.13 to 2.13):

```text
/home/u/train.py:31: UserWarning: Using a target size (torch.Size([4])) that is different to the input size (torch.Size([4, 1])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
  loss = F.mse_loss(prediction, target)
```

Message (torch 2.13.0, as printed without its line):

```text
UserWarning: Using a target size (torch.Size([8, 1])) that is different to the input size (torch.Size([8])). This will likely lead to incorrect results due to broadcasting.
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Using a target size \(torch\.Size\(\[(?P<target>[\d, ]*)\]\)\) that is different to the input size "
    r"\(torch\.Size\(\[(?P<input>[\d, ]*)\]\)\)\. This will likely lead to incorrect results",
    odds=0.95,
)
def every_pair_compared(failure: Failure) -> Hits:
    target, given = (failure.groups[name] for name in ("target", "input"))
    names = failure.lost_as(0, "`input`"), failure.lost_as(1, "`target`")
    cure = "give both one shape"
    if given == f"{target}, 1":
        cure = f"each meets all of the other: {names[0].strip('`')}.squeeze({given.count(',')})"
    elif target == f"{given}, 1":
        cure = f"each meets all of the other: {names[1].strip('`')}.squeeze({target.count(',')})"
    yield failure.hit(f"{names[0]} is [{given}] and {names[1]} is [{target}]: {cure}")
