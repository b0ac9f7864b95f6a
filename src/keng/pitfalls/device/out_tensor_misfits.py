r"""What `out=` names cannot take the result.

`out=` writes the result into a tensor that is there. Its size is changed where it must be, its dtype and device never: the result keeps the dtype that the inputs give it,
which is int64 for indices such as those of `argmax`, and many functions convert nothing on the way.

Cure: `out=torch.empty(0, dtype=...)` of the dtype that the message names, on the device of the inputs; or no `out=` at all, and `x.copy_(result)`, which converts.

Bad (a product):

```python
import torch

a, total = torch.ones(2, 2), torch.zeros(2, 2, dtype=torch.float64)
torch.mm(a, a, out=total)  # seen: `double`
```

Bad (an extreme):

```python
import torch

a, largest = torch.ones(2, 2), torch.zeros(2, dtype=torch.float64)
torch.amax(a, 0, out=largest)  # seen: `Double`
```

Bad (a choice):

```python
import torch

a, rows = torch.ones(2, 2), torch.zeros(1, 2, dtype=torch.long)
torch.index_select(a, 0, torch.tensor([1]), out=rows)  # seen: `index_select`
```

Bad (of another device):

```python
import torch

a, places = torch.ones(2, 2), torch.zeros(2, 1, dtype=torch.long)
torch.gather(a, 1, places, out=torch.empty(0, device="meta"))  # seen: `meta`
```

Good:

```python
import torch

a, total = torch.ones(2, 2), torch.zeros(2, 2, dtype=torch.float64)
total.copy_(torch.mm(a, a))
torch.amax(a, 0, out=torch.empty(0))
torch.gather(a, 1, torch.zeros(2, 1, dtype=torch.long), out=torch.empty(0))
```

Message (torch 2.13; `Long`):

```text
RuntimeError: cholesky_inverse: Expected result to be safely castable from Float dtype, but got result with dtype Long
```

Message (torch 2.13; `Float`):

```text
RuntimeError: dtype Float does not match dtype of out parameter (Long)
```

Message (torch 2.13; `meta`):

```text
RuntimeError: device type cpu does not match device type of out parameter (meta)
```

Message (torch 2.13; `Double`):

```text
RuntimeError: the output given to float_power has dtype Long but the operation's result requires dtype Double
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Expected out tensor to have (?P<what>dtype|device) (?P<wants>[\w:<> ]{3,30}), but got (?P<came>[\w:<> ]{3,30}) instead",
    r"(?P<what>dtype) (?P<wants>\w+) does not match dtype of out parameter \((?P<came>\w+)\)",
    r"(?P<what>device) type (?P<wants>\w+) does not match device type of out parameter \((?P<came>\w+)\)",
    r"Expected (?:result|tau) to be safely castable from (?P<wants>\w+) (?P<what>dtype), but got \w+ with dtype (?P<came>\w+)",
    r"Expected the (?P<what>dtype) for input and out to match, but got (?P<wants>\w+) for input's dtype and (?P<came>\w+) for out's",
    r"the output given to \w+ has (?P<what>dtype) (?P<came>\w+) but the operation's result requires dtype (?P<wants>\w+)",
    odds=0.96,
)
def of_another(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(
        f"the result is of {what} {wants.removeprefix('c10::')} and `out=` of {came.removeprefix('c10::')}: make it alike, or leave it out and copy_ the result"
    )


@pitfall.explains(r"\b(?P<op>\w+)\(\): self and result must have the same scalar type", odds=0.96)
def chosen_into_another(failure: Failure) -> Hits:
    yield failure.hit(
        f"what {failure.groups['op']} takes out keeps its dtype, and `out=` is of another: make it alike, or leave it out and copy_ the result"
    )
