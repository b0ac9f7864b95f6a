r"""A warning calls F.sigmoid or F.tanh deprecated.

PyTorch once meant to keep these two functions under `torch` alone, and warned at each call for years.
It has since taken that back: today's versions do not warn, and both spellings give the same.

Cure: nothing needs to be done; `torch.sigmoid` and `torch.tanh` are quiet in every version.

Bad (a version that warns):

```python
# /// script
# dependencies = ["torch==1.13"]
# ///
import torch
import torch.nn.functional as F

y = F.sigmoid(torch.ones(3)) + F.tanh(torch.ones(3))  # here: both warn up to torch 1
```

Good:

```python
import torch

y = torch.sigmoid(torch.ones(3)) + torch.tanh(torch.ones(3))
```

Fine (a version that does not warn):

```python
import torch
import torch.nn.functional as F

y = F.sigmoid(torch.ones(3)) + F.tanh(torch.ones(3))
```

Message (torch 1.0 to 1.13):

```text
UserWarning: nn.functional.sigmoid is deprecated. Use torch.sigmoid instead.
```

Message (torch 1.0 to 1.13):

```text
UserWarning: nn.functional.tanh is deprecated. Use torch.tanh instead.
```
"""

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="hint", needs="torch before 2")


@pitfall.finds(fixes=True)
def spelling_that_warned(code: Code) -> Hits:
    for call in code.calls_to("torch.nn.functional.sigmoid", "torch.nn.functional.tanh"):
        if code.torch_at_least("2.0") is not False:
            continue
        name = code.resolve(call.func).rpartition(".")[2]
        new = code.spell(f"torch.{name}", call)
        fix = Fix(f"Write torch.{name}", (code.replace(call.func, new),), "safe") if new else None
        yield code.hit(call, f"torch before 2 warns of F.{name}; torch.{name} is quiet", fix=fix)


@pitfall.explains(r"nn\.functional\.(?P<name>sigmoid|tanh) is deprecated", odds=0.95)
def warned_of_the_spelling(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(f"harmless: torch.{name} does the same as F.{name}, and is quiet")
