r"""Raw scores pass a ReLU or a dropout before the cross-entropy.

Cross-entropy, of classes or of yes and no, takes scores of any sign. ReLU makes zero of all that are negative, and sends them
no gradient: a class that has once fallen below zero for a sample is not learned from it any more, and where all have, the
sample teaches nothing. With `binary_cross_entropy_with_logits` nothing can be told below one half. Dropout sets the score of
the right class to zero for some of the samples at random.

Cure: let the last layer stand alone; activations and dropout belong between layers.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.ReLU())
criterion = nn.BCEWithLogitsLoss()
x, y = torch.randn(64, 4), torch.zeros(64, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for _ in range(50):
    optimizer.zero_grad()
    loss = criterion(model(x), y)  # here: `model(x)` has passed `ReLU`
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert loss > 0.69 and torch.sigmoid(model(x)).min() >= 0.5
```

Bad (a forward that ends in one, and its logarithm):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return F.log_softmax(x, dim=1)


torch.manual_seed(0)
net = Net()
with torch.no_grad():
    net.fc2.bias.fill_(-5.0)
output = net(torch.randn(16, 4))
loss = F.nll_loss(output, torch.randint(3, (16,)))  # here: `output` has passed `relu`
loss.backward()
```

Proof:

```python
assert net.fc2.weight.grad.abs().sum() == 0
```

Bad (dropout on the scores):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5))
with torch.no_grad():
    model[0].weight.copy_(20 * torch.eye(3))
    model[0].bias.zero_()
y = torch.arange(3).repeat(20)
output = model(torch.eye(3)[y])
loss = nn.CrossEntropyLoss()(output, y)  # here: `output` has passed `Dropout`
```

Proof:

```python
assert loss > 0.2 and nn.CrossEntropyLoss()(model.eval()(torch.eye(3)[y]), y) < 0.001
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1))
criterion = nn.BCEWithLogitsLoss()
x, y = torch.randn(64, 4), torch.zeros(64, 1)
criterion(model(x), y).backward()
```

Fine (between layers; another loss; an activation with another sign; only on some ways; while nothing is dropped):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randint(3, (16,))
body, head, tail = nn.Linear(4, 8), nn.Linear(8, 3), nn.Sequential(nn.Linear(4, 3), nn.ReLU())
F.cross_entropy(head(F.dropout(F.relu(body(x)), training=True)), y).backward()
F.mse_loss(tail(x), torch.rand(16, 3)).backward()
F.nll_loss(F.log_softmax(head(body(x)), dim=1), y).backward()
F.cross_entropy(-F.relu(head(body(x))), y).backward()
scores = head(body(x))
if scores.isnan().any():
    scores = F.relu(scores)
F.cross_entropy(scores, y).backward()
dropping = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.5)).eval()
with torch.no_grad():
    print(F.cross_entropy(dropping(x), y))
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code, Grad

pitfall = Pitfall(__name__, __doc__, severity="warning")

CUTS = frozenset(
    [
        "torch.nn.ReLU",
        "torch.relu",
        "torch.nn.functional.relu",
        "torch.Tensor.relu",
        "torch.nn.ReLU6",
    ]
)
DROPS = frozenset(["torch.nn.Dropout", "torch.nn.functional.dropout", "torch.dropout"])


@pitfall.finds
def cut_at_zero(code: Code) -> Hits:
    for call, given, name in code.scores_last_through(CUTS):
        says = f"`{code.text_of(given)}` has passed `{name}` before this loss"
        yield code.hit(call, f"{says}: scores below zero and their gradients are lost")


@pitfall.finds
def dropped_at_random(code: Code) -> Hits:
    for call, given, name in code.scores_last_through(DROPS):
        if code.grad_at(call) is Grad.OFF:
            continue  # an evaluation, in which nothing is dropped
        says = f"`{code.text_of(given)}` has passed `{name}` before this loss"
        yield code.hit(call, f"{says}: scores of right classes become zero at random")
