r"""A library knows schedulers by the base class that they had before torch 2.

Since torch 2.0 the schedulers of PyTorch derive from `LRScheduler`. The old name `_LRScheduler` is still there, as an empty subclass, so that old code is imported without
an error and `isinstance(scheduler, _LRScheduler)` says no to each scheduler. Lightning before 1.9, ignite before 0.4.11 and trainers
of that time refuse them in words of their own.

Cure: a release of that library from 2023 or later; in code of one's own `torch.optim.lr_scheduler.LRScheduler`; else a torch before 2.

Bad:

```python
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import StepLR, _LRScheduler


def attach(scheduler):
    if not isinstance(scheduler, _LRScheduler):
        says = f'The provided lr scheduler "{scheduler}" is invalid'
        raise ValueError(says)  # seen: `a StepLR`


attach(StepLR(SGD(nn.Linear(2, 2).parameters(), lr=0.1), step_size=10))
```

Good:

```python
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import LRScheduler, StepLR


def attach(scheduler):
    if not isinstance(scheduler, LRScheduler):
        raise ValueError(f'The provided lr scheduler "{scheduler}" is invalid')


attach(StepLR(SGD(nn.Linear(2, 2).parameters(), lr=0.1), step_size=10))
```

Message (Lightning 1.5 to 1.8, torch 2; `ExponentialLR`):

```text
MisconfigurationException: The provided lr scheduler `ExponentialLR` doesn't follow PyTorch's LRScheduler API. You should override the `LightningModule.lr_scheduler_step` hook with your own logic if you are using a custom LR scheduler.
```

Message (ignite 0.4, torch 2; `StepLR`):

```text
TypeError: Argument lr_scheduler should be a subclass of torch.optim.lr_scheduler._LRScheduler, but given <class 'torch.optim.lr_scheduler.StepLR'>
```

Message (fastNLP 0.5, torch 2; `LambdaLR`):

```text
ValueError: Expect torch.optim.lr_scheduler for LRScheduler. Got <class 'torch.optim.lr_scheduler.LambdaLR'>.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"lr scheduler `(?P<name>\w{1,60})` doesn't follow PyTorch's LRScheduler API",
    r"lr scheduler \"?<torch\.optim\.lr_scheduler\.(?P<name>\w{1,60}) object at \w{1,40}>\"? is invalid",
    r"subclass of torch\.optim\.lr_scheduler\._LRScheduler(?: or ParamScheduler)?, but given <class 'torch\.optim\.lr_scheduler\.(?P<name>\w{1,60})'>",
    r"Expect torch\.optim\.lr_scheduler for LRScheduler\. Got <class 'torch\.optim\.lr_scheduler\.(?P<name>\w{1,60})'>",
    odds=0.95,
)
def asked_for_the_old_base(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['name']} is asked for the base class _LRScheduler, which schedulers have no longer since torch 2.0: a later "
        "release of the library that asks (Lightning 1.9), or LRScheduler"
    )
