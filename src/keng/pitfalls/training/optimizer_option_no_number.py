r"""An option of an optimizer or a scheduler is a text, None or another thing that is no number.

YAML takes `1e-3` for a text, since its numbers have a point: `1.0e-3` or `0.001`. Options of a command line are texts without `type=float`, and an option
that a configuration lacks may be None. Optimizers compare what they get with zero, and Python refuses that. `betas` is a pair, and the
`milestones` of a MultiStepLR are a list.

Cure: `lr=float(config["lr"])`, `1.0e-3` in the YAML file, `parser.add_argument("--lr", type=float)`.

Bad (a text):

```python
from torch import nn
from torch.optim import Adam

config = {"lr": "1e-3"}
optimizer = Adam(nn.Linear(2, 2).parameters(), lr=config["lr"])  # seen: `lr` is a text
```

Bad (None):

```python
from torch import nn
from torch.optim import SGD

config = {"lr": 0.1}
momentum = config.get("momentum")
optimizer = SGD(nn.Linear(2, 2).parameters(), 0.1, momentum)  # seen: `momentum` is None
```

Bad (one number for a pair):

```python
from torch import nn
from torch.optim import AdamW

optimizer = AdamW(nn.Linear(2, 2).parameters(), betas=0.9)  # seen: `betas=(0.9, 0.999)`
```

Bad (one number for a list):

```python
from torch import nn
from torch.optim import SGD
from torch.optim.lr_scheduler import MultiStepLR

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
scheduler = MultiStepLR(optimizer, 30)  # seen: `milestones=[30]`
```

Good:

```python
from torch import nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import MultiStepLR

config = {"lr": "1e-3"}
optimizer = AdamW(nn.Linear(2, 2).parameters(), lr=float(config["lr"]), betas=(0.9, 0.999))
scheduler = MultiStepLR(optimizer, [30, 60])
```

Message (torch 0.3 to 1.0; `lr` is a text):

```text
  File "trainer.py", line 27, in create_optimizer
    optimizer = supported[name](params, **kwargs)
  File "/env/lib/python3.6/site-packages/torch/optim/rmsprop.py", line 29, in __init__
    if not 0.0 <= lr:
TypeError: '<=' not supported between instances of 'float' and 'str'
```

Message (torch 1.4 to 2.13, a scheduler's; `min_lr`):

```text
  File "train.py", line 61, in main
    scheduler.step(loss)
  File "/env/lib/python3.10/site-packages/torch/optim/lr_scheduler.py", line 1130, in _reduce_lr
    new_lr = max(old_lr * self.factor, self.min_lrs[i])
TypeError: '>' not supported between instances of 'str' and 'float'
```

Message (torch 1.4 to 2.13, an own scheduler; `initial_lr`):

```text
  File "/env/lib/python3.8/site-packages/torch/optim/lr_scheduler.py", line 154, in step
    values = self.get_lr()
  File "schedulers.py", line 35, in <listcomp>
    group["initial_lr"] * weight for group in self.optimizer.param_groups
TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

KINDS = {"str": "a text", "NoneType": "None", "tuple": "a tuple", "list": "a list"}
OPTION = re.compile(
    r"\b(initial_lr|min_lr|lr|eps|weight_decay|momentum|dampening|rho|alpha|lr_decay|lambd|factor|gamma)(?:s\[i\])?(?!\w)"
)
OTHERS = {"betas": "a pair: `betas=(0.9, 0.999)`", "milestones": "a list: `milestones=[30]`"}


@pitfall.explains(
    r"'[<>]=?' not supported between instances of '(?P<one>\w+)' and '(?P<other>\w+)'",
    r"unsupported operand type\(s\) for .{1,20}: '(?P<one>\w+)' and '(?P<other>\w+)'",
    odds=0.95,
)
def no_number(failure: Failure) -> Hits:
    came = [KINDS[k] for k in (failure.groups["one"], failure.groups["other"]) if k in KINDS]
    named = OPTION.findall(_lines_of_torch(failure))
    if came and named:
        yield failure.hit(
            f"`{named[-1]}` is {came[0]}: float(...), and 1.0e-3 in YAML, to which 1e-3 is a text"
        )


@pitfall.explains(r"'(?:float|int)' object is not (?:subscriptable|iterable)", odds=0.93)
def one_number(failure: Failure) -> Hits:
    text = _lines_of_torch(failure)
    for name, wants in OTHERS.items():
        if name in text:
            yield failure.hit(f"`{name}` is {wants}")


def _lines_of_torch(failure: Failure) -> str:
    """The last lines of the traceback, where it came up in torch.optim or in what that calls."""
    last = failure.frames[-3:]
    inside = any("/torch/optim/" in frame.posix for frame in last)
    return " ".join(frame.text for frame in last) if inside else ""
