r"""A function or method of PyTorch is given more in a row than it takes.

Functions of PyTorch take few arguments by their place: the tensors, and most often one dimension or size. What else they know goes by name. Functions
that join tensors take them as one list, methods that convert to a dtype, or read a tensor, take nothing at all, and sizes that stand one by one
are only seen as such where all of them are whole numbers.

Cure: `torch.hstack([a, b])`; `x.to(device, dtype)` for what `x.half()` does not take; the rest by its name, `torch.add(x, y, alpha=2)`.

Bad (tensors one by one):

```python
import torch

rows = torch.hstack(torch.ones(3), torch.ones(3))  # seen: `one list`
```

Bad (two dimensions at a time):

```python
import torch

x = torch.ones(3, 4)
y = x.unsqueeze(0, 1)  # seen: `takes 1 and gets 2`
```

Bad (sizes in a tuple, and one more):

```python
import torch

x = torch.ones(3, 4)
y = x.reshape((2, 3), 2)  # seen: `one tuple`
```

Bad (a device for what converts):

```python
import torch

x = torch.ones(3)
y = x.half("cpu")  # seen: `x.to(...)`
```

Bad (an index for what reads):

```python
import torch

losses = torch.ones(3)
first = losses.item(0)  # seen: `takes nothing`
```

Good:

```python
import torch

x = torch.ones(3, 4)
rows = torch.hstack([x, x])
y = x[None, None].reshape(2, 3, 2).to("cpu", torch.half)
first = x[0, 0].item()
```

Message (torch 2.13; `takes 2 and gets 4`):

```text
Traceback (most recent call last):
  File "train.py", line 8, in <module>
    y = torch.add(x, 1, 2, 3)
TypeError: add() takes 2 positional arguments but 4 were given
```

Message (torch 0.4; `as one list`):

```text
TypeError: einsum() takes 2 positional arguments but 3 were given
```

Message (torch 2.13, from its text alone; `takes 1 and gets 2`):

```text
Traceback (most recent call last):
  File "train.py", line 8, in <module>
    y = x.unsqueeze(0, 1)
TypeError: unsqueeze() takes 1 positional argument but 2 were given
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.tables.torch_functions import called

pitfall = Pitfall(__name__, __doc__, severity="error")

SIZES = frozenset({"reshape", "expand", "permute", "repeat", "tile", "view"})
JOINS = frozenset({"hstack", "vstack", "dstack", "column_stack", "cat", "stack", "concat"})
CONVERTS = frozenset(
    "half float double long int bool short byte char bfloat16 cpu contiguous clone".split()
)
UNMISTAKABLE = re.compile(r"\w\.(?:(?:un)?squeeze|permute|reshape|contiguous|masked_fill|half)\(")
"""Methods that nobody else's objects have."""


@pitfall.explains(
    r"\b(?P<owner>TensorBase)\.(?P<function>\w{2,40})\(\) takes (?P<takes>no) arguments \((?P<given>\d+) given\)",
    r"(?:^|Error: )(?P<function>(?!forward|step|tensor|zeros|ones|empty|randn?\b|full)[a-z]\w{1,40})\(\) takes "
    r"(?P<takes>(?:from \d+ to )?\d+) positional arguments? but (?P<given>\d+) (?:positional arguments \(and .{5,40}\) )?(?:was|were) given",
    odds=0.93,
)
def more_in_a_row(failure: Failure) -> Hits:
    function, failing = failure.groups["function"], failure.live.failing
    torchs = failure.groups.get("owner") or called(function, failure.line)
    if function == "einsum" and failure.groups["takes"] == "2":
        yield failure.hit(
            "before PyTorch 1.0 einsum takes the tensors as one list: torch.einsum(equation, [a, b])"
        )
        return
    if not torchs and not UNMISTAKABLE.search(failure.line) and not (failing and failing.torchs):
        return  # the program's own function may have raised it
    if function in SIZES:
        says = "are whole numbers, one by one or as one tuple, and one of them is none"
        yield failure.hit(f"the sizes of {function} {says}")
    elif function in JOINS:
        yield failure.hit(f"{function} takes the tensors as one list: torch.{function}([a, b])")
    elif function in CONVERTS:
        yield failure.hit(f"{function}() is given something: x.to(...) takes a device and a dtype")
    elif failure.groups["takes"] == "no":
        yield failure.hit(f"{function}() takes nothing, and is given {failure.groups['given']}")
    else:
        takes, given = failure.groups["takes"], failure.groups["given"]
        yield failure.hit(
            f"{function} takes {takes} and gets {given} in a row: the rest goes by name"
        )
