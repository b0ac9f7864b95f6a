r"""The targets of a binary loss are other numbers than 0 to 1.

Binary cross-entropy of raw outputs computes with any target, and is bounded below only between 0 and 1. A mask read from a PNG holds 0 and 255, labels may be -1 and 1
or 1 and 2: the loss then falls below 0 and on without end, as larger outputs are always better, and a Dice score or an IoU comes out
above 1. Nothing is raised.

Cure: `mask = (mask > 0).float()` where the data comes in, or `mask / 255`; `(labels + 1) / 2` for -1 and 1; print `target.unique()` once.

Bad (a mask of 0 and 255):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Conv2d(1, 1, 3, padding=1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
images, masks = torch.randn(4, 1, 8, 8), torch.randint(2, (4, 1, 8, 8)) * 255.0
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(net(images), masks)  # seen: `masks` run
    loss.backward()
    optimizer.step()
```

Bad (labels of -1 and 1):

```python
import torch
from torch import nn

torch.manual_seed(0)
net, criterion = nn.Linear(4, 1), nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
labels = torch.tensor([[-1.0], [1.0]]).repeat(4, 1)
optimizer.zero_grad()
loss = criterion(net(x), labels)  # seen: from -1 to 1
loss.backward()
optimizer.step()
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Conv2d(1, 1, 3, padding=1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
images, masks = torch.randn(4, 1, 8, 8), torch.randint(2, (4, 1, 8, 8)) * 255.0
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(net(images), (masks > 0).float())
    loss.backward()
    optimizer.step()
```

Fine (labels that are smoothed past 1, as for a GAN; a regression):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
optimizer.zero_grad()
loss = nn.functional.binary_cross_entropy_with_logits(net(x), 0.7 + 0.5 * torch.rand(8, 1))
loss = loss + nn.functional.mse_loss(net(x), torch.full((8, 1), 255.0))
loss.backward()
optimizer.step()
```

Message (of a U-Net, in its log; `1.97`):

```text
The loss is negative when I train on my own masks.
INFO: Validation Dice Coeff: 1.9721606236237745
```

Message (a log alone; `1.53`):

```text
epoch 3: train loss: -212.4, val dice score: 1.532
```

Message (a title; `binary cross-entropy`):

```text
Negative BCE: how can I get a negative training loss with binary_cross_entropy_with_logits?
```

Message (in words; `binary cross-entropy`):

```text
Why does the loss become negative? I use BCEWithLogitsLoss and the loss goes to -4000 after an epoch.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import LossCall

pitfall = Pitfall(__name__, __doc__, severity="error")

BINARY = ("binary_cross_entropy", "binary_cross_entropy_with_logits")
NAMED = re.compile(r"\bBCE(?:WithLogits)?(?:Loss)?\b|\bbinary[ _]cross[-_ ]?entropy", re.IGNORECASE)
ABOVE_ONE = re.compile(
    r"\b(?:dice|iou|jaccard)\b[\w ()]{0,30}[:=] ?(1\.\d{0,20}[1-9]\d{0,20}|2\.0{1,20})(?![\d%])",
    re.IGNORECASE,
)


@pitfall.watches("loss")
def beyond_one(call: LossCall) -> Hits:
    low, high = call.target_range if call.function in BINARY else (0, 1)
    if low <= -1 or high >= 2:
        targets = f"`{call.target}` run" if call.target else "the targets run"
        yield call.hit(
            f"{targets} from {low:g} to {high:g}, and a binary loss takes 0 to 1: it falls below 0 without end"
        )


@pitfall.explains(
    r"\b[Ll]oss (?:\w{1,12} ){0,3}negative\b",
    r"\b[Nn]egative (?:\w{1,12} ){0,2}loss\b",
    r"\b(?:loss|Loss)\b[\w ()]{0,20}[:=] ?-(?P<log>\d)",
    odds=0.9,
)
def loss_below_nothing(failure: Failure) -> Hits:
    above, binary = ABOVE_ONE.search(failure.message), NAMED.search(failure.message)
    if above is not None or (binary is not None and "log" not in failure.groups):
        shown = (
            f"a score of {float(above[1]):.4g} is above 1"
            if above
            else "it is binary cross-entropy"
        )
        yield failure.hit(
            f"the loss is negative, and {shown}: the targets hold more than 0 to 1, as masks of 0 and 255; (mask > 0).float()"
        )
