r"""What a method returns is kept in place of the object that it changed.

`model.load_state_dict(...)` changes the model and returns the names that did not fit, `optimizer.step()`, `zero_grad()` and `backward()` return
nothing. `model = model.load_state_dict(...)` throws the model away and keeps a list of names, `optimizer = optimizer.step()` keeps None.

Cure: `model.load_state_dict(...)` on a line of its own; `.eval()`, `.train()`, `.to()` and `.cuda()` do return the model.

Bad:

```python
import torch
from torch import nn

weights = nn.Linear(2, 2).state_dict()
model = nn.Linear(2, 2).load_state_dict(weights)
y = model(torch.ones(1, 2))  # seen: `load_state_dict`
```

Bad (a mode):

```python
from torch import nn

weights = nn.Linear(2, 2).state_dict()
model = nn.Linear(2, 2).load_state_dict(weights)
model.eval()  # seen: a line of its own
```

Bad (a loss):

```python
import torch

loss = torch.ones(1, requires_grad=True).sum()
loss = loss.backward()
total = loss.item()  # seen: None
```

Bad (an optimizer):

```python
from torch import nn
from torch.optim import SGD

optimizer = SGD(nn.Linear(2, 2).parameters(), lr=0.1)
optimizer = optimizer.step()
optimizer.zero_grad()  # seen: None
```

Good:

```python
import torch
from torch import nn

model = nn.Linear(2, 2)
model.load_state_dict(nn.Linear(2, 2).state_dict())
y = model.eval()(torch.ones(1, 2))
```

Message (torch 1.1 and 1.2; `load_state_dict`):

```text
AttributeError: 'IncompatibleKeys' object has no attribute 'eval'
```

Message (torch 1.0 and before; None):

```text
AttributeError: 'NoneType' object has no attribute 'load_state_dict'
```

Message (transformers 4 and 5, a batch without labels; `labels`):

```text
Traceback (most recent call last):
  File "/work/train.py", line 5, in <module>
    total += outputs.loss.item()
AttributeError: 'NoneType' object has no attribute 'item'
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

MADE = "a function that makes it returned nothing, an option left it out, or it was overwritten, as in `optimizer = optimizer.step()`"
OF_A_LOSS = "`loss = loss.backward()` keeps what backward returns; and models of Transformers give a loss only where labels are among their inputs"


@pitfall.explains(
    r"'_?IncompatibleKeys' object (?:is not callable|has no attribute|is not iterable)", odds=0.97
)
def names_for_the_model(failure: Failure) -> Hits:
    yield failure.hit(
        "what load_state_dict returned, the names that did not fit, is kept for the model: `load_state_dict` on a line of its own"
    )


@pitfall.explains(
    r"'NoneType' object has no attribute '(?P<name>zero_grad|state_dict|load_state_dict|parameters|named_parameters|param_groups|item)'",
    odds=0.85,
)
def nothing_for_the_object(failure: Failure) -> Hits:
    name, why = failure.groups["name"], MADE
    if name == "item":
        if "loss" not in failure.line:
            return
        why = OF_A_LOSS
    yield failure.hit(f"what is asked for `{name}` is None: {why}")
