r"""An optimizer is asked for an option that its groups hold.

The learning rate, momentum and weight decay belong to groups of parameters: `optimizer.param_groups` is a list of dicts, one for each group,
and the optimizer itself has no `lr`.

Cure: `optimizer.param_groups[0]["lr"]` to read; `for group in optimizer.param_groups: group["lr"] = lr` to set, which an attribute
`optimizer.lr = lr` does not do; `scheduler.get_last_lr()` with a scheduler.

Bad (an attribute):

```python
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
rate = optimizer.lr  # seen: `optimizer.param_groups[0]["lr"]`
```

Bad (a list for a dict):

```python
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
rate = optimizer.param_groups["lr"]  # seen: `param_groups[0]["lr"]`
```

Good:

```python
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
rate = optimizer.param_groups[0]["lr"]
for group in optimizer.param_groups:
    group["lr"] = rate / 10
```
"""

import re

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

KINDS = "SGD|Adam|AdamW|Adamax|NAdam|RAdam|Adagrad|Adadelta|RMSprop|Rprop|ASGD|LBFGS"
OPTIONS = {"learning_rate": "lr", "get_lr": "lr", "beta": "betas"}


@pitfall.explains(
    rf"'(?:{KINDS})' object has no attribute '(?P<name>lr|learning_rate|get_lr|momentum|weight_decay|betas?|eps)'",
    odds=0.95,
)
def asked_of_the_optimizer(failure: Failure) -> Hits:
    name = OPTIONS.get(failure.groups["name"], failure.groups["name"])
    yield failure.hit(
        f'the groups of an optimizer hold its options: `optimizer.param_groups[0]["{name}"]`'
    )


@pitfall.explains(r"list indices must be integers or slices, not str", odds=0.95)
def groups_for_a_group(failure: Failure) -> Hits:
    if found := re.search(r"\.param_groups\[[\"'](\w+)", failure.line or failure.around):
        yield failure.hit(
            f'param_groups is a list of groups, each a dict: `param_groups[0]["{found[1]}"]`'
        )
