r"""A scheduler is to go on from an epoch, and the optimizer does not know its first rates.

With `last_epoch` a scheduler continues instead of beginning, and reads the rate that it began with from
`initial_lr` in the optimizer's groups. Only an earlier scheduler has written it there; a new optimizer has none.

Cure: leave `last_epoch` alone and load both states, `optimizer.load_state_dict(...)`, then
`scheduler.load_state_dict(...)`; without a saved state put `initial_lr` into each group first.

Bad:

```python
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10, last_epoch=5)  # seen: `initial_lr`
```

Good:

```python
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
saved = {"optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
optimizer.load_state_dict(saved["optimizer"])
scheduler.load_state_dict(saved["scheduler"])
```

Message (torch 1.0 to 2.4):

```text
KeyError: "param 'initial_lr' is not specified in param_groups[0] when resuming an optimizer"
```

Message (torch 1.0 to 2.13, as people retell it; `load the states`):

```text
When I resume I am told that 'initial_lr' is not specified in param_groups[0] when resuming an optimizer
```

Message (torch 1.0 to 2.13):

```text
KeyError: 'initial_lr'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"'initial_lr' is not specified in param_groups\[\d+\] when resuming",
    r"(?:^|KeyError: )'initial_lr'$",
    odds=0.97,
)
def no_first_rate(failure: Failure) -> Hits:
    yield failure.hit(
        "the optimizer is new and its groups have no initial_lr: load the states of optimizer and scheduler "
        "instead of giving last_epoch"
    )
