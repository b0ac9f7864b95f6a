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

Message (torch 1.6 to 2.13; `once`):

```text
UserWarning: optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see github.com/pytorch/pytorch/issues/40967 for more information
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


pitfall.answers(
    {
        "some parameters appear in more than one parameter group": "a parameter stands in two groups, or was added when it was there: ids = {id(p) for p in head}, and the rest without those",
        "contains a parameter group with duplicate parameters": "a list of parameters holds one twice, and each step is done on it twice: each once, by id(p)",
    },
    odds=0.95,
)
