r"""A parameter is given to an optimizer twice.

Groups with learning rates of their own must not overlap: `model.parameters()` beside
`model.head.parameters()` names the head twice, and tied weights (an embedding and the output layer) are
one parameter under two names.

Cure: leave in one group what another has, by identity, `id(p)`, not by name.

Bad:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
groups = [{"params": model.parameters()}, {"params": model[1].parameters(), "lr": 0.01}]
optimizer = torch.optim.SGD(groups, lr=0.1)  # seen: the head stands in both
```

Good:

```python
import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
groups = [{"params": model[0].parameters()}, {"params": model[1].parameters(), "lr": 0.01}]
optimizer = torch.optim.SGD(groups, lr=0.1)
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


pitfall.says(r"some parameters appear in more than one parameter group", odds=0.97)
