r"""A copy to the card is asked to be `async`, a word that Python has taken for itself.

Since Python 3.7 `async` is a keyword, and `x.cuda(async=True)` is no Python any more: the whole file is refused. Since PyTorch 0.4.1 the argument is called
`non_blocking`. Other methods have never known `async`, or no longer do: `x.pin_memory()` and `x.to(...)` refuse it. `device_id` of `cuda`
is called `device`.

Cure: `x.cuda(non_blocking=True)`, `x.to(device, non_blocking=True)`; `x.cuda(device=0)`.

Bad (another name of the device):

```python
import torch

x = torch.ones(1).cuda(device_id=0)  # seen: `device`
```

Bad (by a dict):

```python
import torch

x = torch.ones(1).pin_memory(**{"async": True})  # seen: `non_blocking`
```

Good:

```python
import torch

x = torch.ones(1).to("cpu", non_blocking=True)
```

Message (Python 3.7 and later; `non_blocking=True`):

```text
  File "train.py", line 119
    target = target.cuda(async=True)
                             ^
SyntaxError: invalid syntax
```

Message (torch 0.4 to 2.13, of a module; `device`):

```text
TypeError: Module.cuda() got an unexpected keyword argument 'device_id'
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

ASKED = re.compile(r"\.(?:cuda|cpu|to|copy_|pin_memory)\([^\n]{0,120}?\basync ?=")


@pitfall.explains(r"\binvalid syntax\b", odds=0.96)
def keyword_of_python(failure: Failure) -> Hits:
    if ASKED.search(failure.line or failure.around):
        yield failure.hit(
            "`async` is a word of Python since 3.7, and the argument is called `non_blocking=True`"
        )


@pitfall.explains(
    r"\b(?:cuda|cpu|pin_memory|copy_|_cuda)\(\) got an unexpected keyword argument '(?P<name>async|device_id)'",
    odds=0.96,
)
def old_names(failure: Failure) -> Hits:
    name = failure.groups["name"]
    new = "device" if name == "device_id" else "non_blocking"
    yield failure.hit(f"`{name}` is called `{new}` today")
