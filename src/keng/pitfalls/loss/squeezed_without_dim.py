r"""A prediction is squeezed of all dimensions of one before it meets its target.

`squeeze()` without an argument takes away every dimension of one: the last of `(N, 1)`, as was meant, and the batch too
when it holds a single sample. A target of `(1,)` then meets a prediction without dimensions: some losses raise in the
last batch of an epoch, others broadcast and go on.

Cure: `squeeze(-1)` or `squeeze(1)`, which take that one dimension only.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(9, 4), torch.randn(9))
loader = DataLoader(data, batch_size=4)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
for x, y in loader:
    optimizer.zero_grad()
    prediction = model(x).squeeze()
    loss = criterion(prediction, y)  # here: `prediction` loses its batch when it is of one
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert prediction.shape == () and y.shape == (1,)
```

Bad (by the function):

```python
import torch
import torch.nn.functional as F
from torch import nn

model, x, y = nn.Linear(4, 1), torch.randn(1, 4), torch.rand(1)
p = torch.squeeze(torch.sigmoid(model(x)))
loss = F.l1_loss(p, y)  # here: the batch goes too
```

Proof:

```python
assert p.shape == () and y.shape == (1,)
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

model, x, y = nn.Linear(4, 1), torch.randn(1, 4), torch.rand(1)
loss = F.l1_loss(model(x).squeeze(-1), y)
```

Fine (both sides alike; elsewhere):

```python
import torch
import torch.nn.functional as F
from torch import nn

model, x, y = nn.Linear(4, 1), torch.randn(4, 4), torch.rand(4)
loss = F.mse_loss(model(x).squeeze(), y.squeeze())
shown = model(x).squeeze()
```

Bad (where the loss raises):

```python
import torch
import torch.nn.functional as F
from torch import nn

model, x, y = nn.Linear(4, 1), torch.randn(1, 4), torch.ones(1)
scores = model(x).squeeze()
loss = F.binary_cross_entropy_with_logits(scores, y)  # here: a batch of one
```

Message (torch 1.0 to 2.13; `squeeze(-1)`):

```text
  File "/home/u/basemodel.py", line 121, in fit
    val_loss += loss_func(out, batch_y.to(self.device))
ValueError: Target size (torch.Size([1])) must be the same as input size (torch.Size([]))
```

Message (torch 1.0 to 2.13, of a loss that only warns; `squeeze(-1)`):

```text
UserWarning: Using a target size (torch.Size([1])) that is different to the input size (torch.Size([])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def squeezed_on_one_side(code: Code) -> Hits:
    for call, given, squeeze in code.squeezed_for_a_loss():
        fix = Fix("Squeeze the last dimension only", (code.with_dim(squeeze),))
        says = f"`{code.text_of(given)}` loses its batch too where that holds one sample"
        yield code.hit(call, says, fix=fix)


@pitfall.explains(
    r"Target size \(torch\.Size\(\[1\]\)\) must be the same as input size \(torch\.Size\(\[\]\)\)",
    r"Using a target size \(torch\.Size\(\[1\]\)\) that is different to the input size \(torch\.Size\(\[\]\)\)",
    odds=0.96,
)
def batch_of_one_lost(failure: Failure) -> Hits:
    if failure.code is None or "squeeze" in failure.code.text:
        yield failure.hit(
            "the prediction has no dimension left, and the target is of one sample: squeeze() took the last batch too, of one; squeeze(-1) takes one dimension, drop_last=True such batches"
        )
