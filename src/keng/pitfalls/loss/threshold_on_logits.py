r"""Logits are compared with 0.5.

A model that is trained with `BCEWithLogitsLoss` gives logits: a probability of 0.5 is a logit of 0. Compared with 0.5, it answers yes
from a probability of 0.62 on only; recall is lower than it could be, precision higher, and nobody is told.

Cure: `logits > 0`, or `logits.sigmoid() > 0.5`.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.BCEWithLogitsLoss()
x, y = torch.randn(64, 4), torch.randint(2, (64,)).float()
loss = criterion(model(x).squeeze(1), y)
with torch.no_grad():
    scores = model(x).squeeze(1)
    hits = ((scores > 0.5) == y.bool()).sum()  # here: a probability of 0.62
```

Proof:

```python
right = ((scores.sigmoid() > 0.5) == y.bool()).sum()
assert hits != right
```

Bad (in a function that is given them):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(x).flatten()


def positives(scores):
    return (scores >= 0.5).long()  # here: as well


torch.manual_seed(0)
net, x, y = Net(), torch.randn(64, 4), torch.randint(2, (64,)).float()
loss = F.binary_cross_entropy_with_logits(net(x), y)
found = positives(net(x).cpu())
```

Proof:

```python
assert found.sum() < (net(x) >= 0).sum()
```

Good:

```python
import torch
from torch import nn

model, criterion = nn.Linear(4, 1), nn.BCEWithLogitsLoss()
x, y = torch.randn(64, 4), torch.randint(2, (64, 1)).float()
loss = criterion(model(x), y)
hits = ((model(x) > 0) == y.bool()).sum()
```

Fine (probabilities; a sigmoid outside of training; labels; another model; a margin that has a name):

```python
import torch
from torch import nn

model, other, criterion = nn.Linear(4, 1), nn.Linear(4, 1), nn.BCEWithLogitsLoss()
x, y = torch.randn(64, 4), torch.randint(2, (64, 1)).float()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        logits = self.out(x)
        return logits if self.training else logits.sigmoid()


net = Net()
loss = criterion(model(x), y) + criterion(net(x), y)
net.eval()
probabilities = torch.sigmoid(model(x))
hits = (probabilities > 0.5) == (y > 0.5)
hits = (net(x) > 0.5) == (other(x) > 0.5)
margin = 0.5
sure = model(x) > margin
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def compared_with_a_half(code: Code) -> Hits:
    for compared, half in code.halves_of_logits():
        text = code.text_of(compared.left)
        says = f"`{text}` are logits, and 0.5 a probability of 0.62 there: compare with 0"
        yield code.hit(compared, says, Fix("Compare with 0", (code.replace(half, "0"),)))
