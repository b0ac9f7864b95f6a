r"""A scheduler gets numbers that fit neither each other nor its optimizer.

A list of functions or rates has one entry for each parameter group. `OneCycleLR` needs its length, as `total_steps` or as epochs
and steps of each, and cycles a momentum that Adagrad has not. `SequentialLR` has one scheduler more than milestones, and all of
one optimizer; `ReduceLROnPlateau` cannot be among them, as its `step` wants the loss.

Cure: print `len(optimizer.param_groups)`; `OneCycleLR(optimizer, max_lr, epochs=epochs, steps_per_epoch=len(loader))`;
step `ReduceLROnPlateau` beside the others by itself.

Bad (no length):

```python
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1)  # seen: `steps_per_epoch`
```

Bad (functions for two groups):

```python
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
rates = [lambda epoch: 0.9**epoch, lambda epoch: 1.0]
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, rates)  # seen: `1 parameter group`
```

Bad (rates for two groups):

```python
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
cycle = OneCycleLR(optimizer, [0.1, 0.2], total_steps=9)  # seen: `1 parameter group`
```

Good:

```python
import torch
from torch import nn

optimizer = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.9**epoch)
cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=2, steps_per_epoch=5)
```

Message (torch 2.13; `1 parameter group`):

```text
ValueError: expected 1 min_lrs, got 2
```

Message (torch 2.13; `by itself`):

```text
ValueError: SequentialLR does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be specified when calling `step`, but got one at index 1 in the given schedulers sequence.
```

Message (an older torch; `1 parameter group`):

```text
ValueError: expected 1 values for max_lr, got 2
```

Message (an older torch; `optimizer.param_groups`):

```text
AttributeError: 'ReduceLROnPlateau' object has no attribute 'get_last_lr'
```

Message (torch 0.4 to 1.5):

```text
ValueError: Milestones should be a list of increasing integers. Got [80, 40]
```

Message (torch 1.0 to 1.3; `1.4`):

```text
AttributeError: 'CosineAnnealingLR' object has no attribute 'get_last_lr'
```

Message (torch 2.7 to 2.13; `add_param_group`):

```text
RuntimeError: The number of param groups in the `optimizer` (2) differs from when `ReduceLROnPlateau` was initialized (1), usually due to a new param group being added to the optimizer. Please modify the `min_lrs` field to match the length of the `optimizer` param groups.
```

Message (torch 2.13; `text`):

```text
ValueError: Expected float or int eta_min, but got 1e-5 of type <class 'str'>
```

Message (torch 2.13; `no scheduler`):

```text
TypeError: SequentialLR at index 1 should have `optimizer` as its attribute.
```

Message (torch 2.13; `below 1`):

```text
ValueError: Factor should be < 1.0.
```

Message (torch 2.13; `empty`):

```text
ValueError: ChainedScheduler expects at least one scheduler to be chained, but got no scheduler.
```

Message (torch 2.13; `T_max`):

```text
  File "train.py", line 12, in <module>
    scheduler = CosineAnnealingLR(optimizer, T_max=len(loader) // 16)
  File "/env/lib/python3.11/site-packages/torch/optim/lr_scheduler.py", line 1252, in get_lr
    elif (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
ZeroDivisionError: integer modulo by zero
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CURES = {
    "You must define either total_steps OR (epochs AND steps_per_epoch)": "the length is missing: epochs= "
    "and steps_per_epoch=len(loader)",
    "with `cycle_momentum` option enabled": "this optimizer has no momentum to cycle: "
    "cycle_momentum=False",
    "does not support `ReduceLROnPlateau` scheduler": "`ReduceLROnPlateau` wants the loss: step it by itself",
    "number of schedulers provided to be one more than the number of milestone": "between n schedulers stand n - 1 milestones",
    "differs from when `ReduceLROnPlateau` was initialized": "a group came after the scheduler: make it after add_param_group, or "
    "append to scheduler.min_lrs",
    "expects all schedulers to belong to the same optimizer": "the schedulers belong to different optimizers",
    "Expected integer T_mult >= 1": "`T_mult`, by which each period is longer than the last, is 1 or more",
    "Expected float between 0 and 1 pct_start": "pct_start is a share of the steps, from 0 to 1",
    "multiplicative factor expected to be": "the factor is a share of the learning rate, not above 1",
    "Milestones should be a list of": "the milestones are epochs in increasing order: sorted(milestones)",
    "mode is invalid and scale_fn is None": "the mode is triangular, triangular2 or exp_range",
    "expects at least one scheduler": "the list of schedulers is empty",
    "should have `optimizer` as its attribute": "something in the list is no scheduler, as the optimizer itself or a text is",
    "Expected float or int eta_min": "eta_min is a number, and a text or a tensor came: float(...), and 1.0e-5 in YAML, to which 1e-5 is a text",
    "Factor should be < 1.0": "ReduceLROnPlateau multiplies the rate by factor, which is below 1 where the rate is to fall: factor=0.1",
}


pitfall.answers(CURES, odds=0.95)


@pitfall.explains(
    r"[Ee]xpected (?P<wants>\d+) (?P<what>lr_lambdas|min_lrs|max_lr|base_lr)s?, but got (?P<came>\d+)",
    r"[Ee]xpected (?P<wants>\d+) (?P<what>min_lrs), got (?P<came>\d+)",
    r"[Ee]xpected (?P<wants>\d+) values for (?P<what>\w+), got (?P<came>\d+)",
    r"\b(?P<what>\w+) must have the same length as optimizer\.param_groups\. \w+ has (?P<came>\d+) values, param_groups has (?P<wants>\d+)",
    odds=0.96,
)
def one_for_each_group(failure: Failure) -> Hits:
    groups = failure.groups
    s = "" if groups["wants"] == "1" else "s"
    yield failure.hit(
        f"the optimizer has {groups['wants']} parameter group{s}, and {groups['came']} {groups['what']} come: one alone for all, or a list of {groups['wants']}"
    )


@pitfall.explains(
    r"'(?P<kind>(?!Reduce)\w+LR|CosineAnnealingWarmRestarts)' object has no attribute 'get_last_lr'",
    odds=0.95,
)
def rates_of_an_old_scheduler(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    yield failure.hit(f"before PyTorch 1.4 a {kind} has no get_last_lr: update torch, or get_lr")


@pitfall.explains(
    r"'ReduceLROnPlateau' object has no attribute '(?P<name>get_lr|get_last_lr)'", odds=0.95
)
def rate_of_a_plateau(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"a `ReduceLROnPlateau` has no {name} in older versions: optimizer.param_groups[0]['lr']"
    )


@pitfall.explains(r"\b(?:division|modulo)(?: or modulo)? by zero", odds=0.95)
def no_length(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/optim/lr_scheduler.py"):
        yield failure.hit(
            "a scheduler divides by its length, and that is 0: T_max, step_size or total_iters, as len(loader) // steps may give it"
        )
