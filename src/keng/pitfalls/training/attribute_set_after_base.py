r"""What the constructor of a base class asks for is set after it.

`LRScheduler.__init__` takes a first step and so calls `get_lr`, a data set of PyTorch Geometric calls `process` and asks for its file names, `ImageFolder` looks for
the classes, a Trainer of Transformers asks for its loaders. A subclass that overrides one of these and sets what it needs below `super().__init__(...)` is asked before
that is there. (`nn.Module` is the other way round: its constructor asks for nothing, and comes first.)

Cure: set it before `super().__init__(...)`.

Bad:

```python
import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler


class Warmup(LRScheduler):
    def __init__(self, optimizer, steps):
        super().__init__(optimizer)
        self.steps = steps

    def get_lr(self):
        rise = min(1.0, (self.last_epoch + 1) / self.steps)  # seen: set self.steps before it
        return [rate * rise for rate in self.base_lrs]


optimizer = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=0.1)
scheduler = Warmup(optimizer, 10)
```

Good:

```python
import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler


class Warmup(LRScheduler):
    def __init__(self, optimizer, steps):
        self.steps = steps
        super().__init__(optimizer)

    def get_lr(self):
        rise = min(1.0, (self.last_epoch + 1) / self.steps)
        return [rate * rise for rate in self.base_lrs]


optimizer = torch.optim.SGD(nn.Linear(2, 1).parameters(), lr=0.1)
scheduler = Warmup(optimizer, 10)
```

Message (PyTorch Geometric 2, of a data set; `process`):

```text
  File "/home/bob/data.py", line 12, in __init__
    super(Molecules, self).__init__(root, transform)
  File "/env/lib/python3.10/site-packages/torch_geometric/data/in_memory_dataset.py", line 81, in __init__
    super().__init__(root, transform, pre_transform, pre_filter, log, force_reload)
  File "/env/lib/python3.10/site-packages/torch_geometric/data/dataset.py", line 115, in __init__
    self._process()
  File "/env/lib/python3.10/site-packages/torch_geometric/data/dataset.py", line 262, in _process
    self.process()
  File "/home/bob/data.py", line 31, in process
    for smiles in self.smiles:
AttributeError: 'Molecules' object has no attribute 'smiles'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

BASES = re.compile(
    r"/(?:torch\w*|(?:pytorch_)?lightning|transformers|trl|timm|monai|ignite|mmengine)/"
)
SCHEDULER = re.compile(r"/torch/optim/(?:lr_scheduler|optimizer)\.py$")


@pitfall.explains(
    r"'(?P<kind>\w{1,80})' object has no attribute '(?P<name>\w[\w ]{0,80})'", odds=0.96
)
def asked_before_it_is_set(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"].replace(" ", "")
    last, method = failure.frames[-1] if failure.frames else None, ""
    line = (last.text if last is not None else "").replace(" ", "")
    if last is not None and last.user and f"self.{name}" in (line or f"self.{name}"):
        method = last.function.rpartition(".")[2].replace(" ", "")
    if method and method != "__init__" and _in_its_base(failure):
        yield failure.hit(
            f"the constructor of the base of {kind} calls `{method}` already, and `{name}` is not there yet: set self.{name} before it, above super().__init__(...)"
        )


def _in_its_base(failure: Failure) -> bool:
    """Whether a library's constructor, that of the user's own called, stands above the method that failed."""
    above, inside = False, False
    for frame in failure.frames:
        if frame.user:
            own = (
                frame.path == failure.frames[-1].path
            )  # a model that a trainer asks stands elsewhere
            above = own and ".__init__(" in frame.text.replace(" ", "")
        elif frame.function.replace(" ", "").endswith("__init__") and BASES.search(frame.posix):
            inside = inside or above or SCHEDULER.search(frame.posix) is not None
    return inside
