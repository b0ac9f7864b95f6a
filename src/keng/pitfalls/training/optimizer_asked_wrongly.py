r"""An optimizer is asked for what its groups hold, for a group that it does not have, or for a state that it has not made.

The learning rate, momentum and weight decay belong to groups of parameters: `optimizer.param_groups` is a list of dicts, one for each group,
and the optimizer itself has no `lr`. `SGD(model.parameters(), ...)` makes one group, number 0. What it keeps for a parameter (`exp_avg`, `momentum_buffer`, `ax`)
is in `optimizer.state[parameter]`, which is empty before the first step and stays so for a parameter that never got a gradient. An optimizer is no function:
`optimizer.step()`.

Cure: `optimizer.param_groups[0]["lr"]` to read; `for group in optimizer.param_groups: group["lr"] = lr` to set, which an attribute
`optimizer.lr = lr` does not do; `scheduler.get_last_lr()` with a scheduler; `optimizer.state[p].get("exp_avg")`, or ask after a step.

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

Bad (a state, before the first step):

```python
from torch import nn
from torch.optim import Adam

layer = nn.Linear(2, 2)
optimizer = Adam(layer.parameters())
mean = optimizer.state[layer.weight]["exp_avg"]  # seen: `exp_avg`
```

Bad (a second group):

```python
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
optimizer.param_groups[1]["lr"] = 0.01  # seen: no group 1
```

Bad (a scheduler for the optimizer):

```python
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import StepLR

scheduler = StepLR(SGD(nn.Linear(2, 2).parameters(), lr=0.1), 5)
scheduler.zero_grad()  # seen: `zero_grad` is asked of StepLR
```

Bad (called):

```python
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
optimizer()  # seen: `optimizer.step()`
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

Message (transformers 4.45 with an older accelerate; `pip install -U accelerate`):

```text
  File "/env/lib/python3.10/site-packages/transformers/trainer.py", line 3579, in training_step
    self.optimizer.train()
  File "/env/lib/python3.10/site-packages/accelerate/optimizer.py", line 128, in train
    return self.optimizer.train()
AttributeError: 'AdamW' object has no attribute 'train'
```

Message (without its frames; `pip install -U accelerate`):

```text
AttributeError: 'AdamW' object has no attribute 'train'
```

Message (torch 1.0 to 2.13, of a scheduler; scheduler.step()):

```text
TypeError: 'StepLR' object is not callable
```

Message (Lightning 1 and 2, the scheduler of configure_optimizers; `["scheduler"]`):

```text
  File "train.py", line 40, in on_validation_epoch_end
    self.scheduler.step(avg_loss)
AttributeError: 'dict' object has no attribute 'step'
```

Message (torch 1.0 to 2.13, several optimizers; `each by itself`):

```text
  File "train.py", line 40, in training_step
    optimizers.zero_grad()
AttributeError: 'list' object has no attribute 'zero_grad'
```

Message (torch 1.0 to 2.13; `comma`):

```text
  File "train.py", line 40, in train
    optimizer.step()
AttributeError: 'tuple' object has no attribute 'step'
```
"""

import re

from keng.explain.advice.shown import held_as
from keng.explain.advice.steps import OTHERS, asked_of_another
from keng.explain.failure import Failure
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
    says = f'the groups of an optimizer hold its options: `optimizer.param_groups[0]["{name}"]`'
    yield failure.hit(says)


@pitfall.explains(
    rf"'(?P<kind>{KINDS}|\w{{2,30}}LR|ReduceLROnPlateau)' object has no attribute '(?P<name>{'|'.join(OTHERS)})'",
    odds=0.95,
)
def of_another_object(failure: Failure) -> Hits:
    yield failure.hit(asked_of_another(failure, failure.groups["kind"], failure.groups["name"]))


@pitfall.explains(r"(?:^|Error: )list index out of range", odds=0.95)
def no_such_group(failure: Failure) -> Hits:
    if found := re.search(r"\.param_groups\[(\d+)\]", failure.line or failure.around):
        yield failure.hit(
            f"the optimizer has no group {found[1]}: one for each dict in `SGD([{{'params': ...}}, ...])`, from 0 on, and "
            "one alone where it was given parameters"
        )


@pitfall.explains(
    rf"'(?P<kind>{KINDS}|\w{{2,30}}LR|GradScaler|DataLoader)' object is not callable", odds=0.95
)
def called(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    instead = {"DataLoader": "for batch in loader", "GradScaler": "scaler.scale(loss)"}
    method = "scheduler.step()" if kind.endswith("LR") else "optimizer.step()"
    yield failure.hit(f"what is called is a {kind}, and no function: `{instead.get(kind, method)}`")


@pitfall.explains(r"list indices must be integers or slices, not str", odds=0.95)
def groups_for_a_group(failure: Failure) -> Hits:
    if found := re.search(r"\.param_groups\[[\"'](\w+)", failure.line or failure.around):
        yield failure.hit(
            f'param_groups is a list of groups, each a dict: `param_groups[0]["{found[1]}"]`'
        )


STATES = "exp_avg|exp_avg_sq|exp_inf|momentum_buffer|square_avg|grad_avg|acc_delta|sum|ax|eta|mu|prev|step"
"""What the optimizers of PyTorch keep for each parameter."""


@pitfall.explains(rf"KeyError: '(?P<name>{STATES})'(?:$| in line )", odds=0.95)
def state_not_made_yet(failure: Failure) -> Hits:
    name = failure.groups["name"]
    asked = rf"\w\.state\[[\w.]+\]\[[\"']{name}[\"']\]"
    if re.search(asked, failure.line or f"{failure.message}\n{failure.around}"):
        yield failure.hit(
            f"the optimizer has no `{name}` for this parameter: state is made at its first step with a gradient; state[p].get(...), or after it"
        )


@pitfall.explains(
    r"'(?P<kind>dict|list|tuple|str)' object has no attribute '(?P<name>step|zero_grad|param_groups|get_last_lr)'",
    odds=0.95,
)
def held_by_another(failure: Failure) -> Hits:
    if told := held_as(failure):
        yield failure.hit(told)
