r"""Probabilities are made over the samples of a batch instead of the classes.

`nll_loss` and `cross_entropy` take the classes in dimension 1. A softmax over dimension 0 lets each class have its share
among the samples: each column adds up to one, a sample's own row to anything. The loss goes down, what is learned is
which sample of the batch is most like the class, and the prediction for one sample depends on the others.

Cure: `F.log_softmax(scores, dim=1)`, or `dim=-1` for scores of (batch, classes).

Bad:

```python
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model = nn.Linear(8, 3)
x, y = torch.randn(16, 8), torch.randint(3, (16,))
told = F.log_softmax(model(x), dim=0)
loss = F.nll_loss(told, y)  # seen: `told`
loss.backward()
```

Proof:

```python
assert not torch.allclose(told.exp().sum(1), torch.ones(16), atol=0.1)
```

Good:

```python
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model = nn.Linear(8, 3)
x, y = torch.randn(16, 8), torch.randint(3, (16,))
told = F.log_softmax(model(x), dim=1)
loss = F.nll_loss(told, y)
loss.backward()
assert torch.allclose(told.exp().sum(1), torch.ones(16))
```

Fine (pairs, of which each side may choose; one sample alone; turned round afterwards):

```python
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
one, two = nn.Linear(8, 4), nn.Linear(8, 4)
x, own = torch.randn(16, 8), torch.arange(16)
alike = one(x) @ two(x).t()
loss = F.nll_loss(F.log_softmax(alike, dim=1), own) + F.nll_loss(F.log_softmax(alike, dim=0), own)
loss.backward()
F.nll_loss(F.log_softmax(one(x[0]), dim=0), torch.tensor(2)).backward()
columns = one(x).t()
F.nll_loss(F.log_softmax(columns, dim=0).t(), own % 4).backward()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import LossCall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("loss")
def each_class_by_itself(call: LossCall) -> Hits:
    if call.function not in ("nll_loss", "cross_entropy") or call.normalized_over != 0:
        return
    # Of a square table of pairs both directions are meant.
    if len(call.input_shape) > 1 and call.input_shape[0] != call.input_shape[1]:
        name = call.input or f"the output of {call.input_module or 'the model'}"
        says = f"`{name}` is {call.input_shape}, and its softmax went over dimension 0, the samples"
        yield call.hit(f"{says}: the classes are dimension 1")
