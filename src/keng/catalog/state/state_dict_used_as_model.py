r"""A state dict is used as if it were the model.

`torch.load` gives back what was saved. Where that was `model.state_dict()`, it is a dict of tensors by
name: it has no forward, no `eval`, no `to`, and cannot be called.

Cure: build the model as it was and fill it: `model = Net(); model.load_state_dict(torch.load(path))`.

Bad:

```python
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = torch.load(file)
model.eval()  # seen: `load_state_dict`
```

Bad (called):

```python
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = torch.load(file)
y = model(torch.ones(1, 4))  # seen: a dict has no forward
```

Good:

```python
import io

import torch
from torch import nn

file = io.BytesIO()
torch.save(nn.Linear(4, 2).state_dict(), file)
file.seek(0)
model = nn.Linear(4, 2)
model.load_state_dict(torch.load(file))
model.eval()
y = model(torch.ones(1, 4))
```

Message (torch 1.0 to 2.13, of a whole training checkpoint; `load_state_dict`):

```text
AttributeError: 'dict' object has no attribute 'eval'
```

Message (fastai 2, of what Learner.save wrote; `dls`):

```text
AttributeError: 'dict' object has no attribute 'dls'
```

Message (torch 1.0 to 2.13; `alone`):

```text
Traceback (most recent call last):
  File "/home/u/nav/train.py", line 109, in main
    policy, step = torch.load(path)
ValueError: too many values to unpack (expected 2)
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"'(?:collections\.)?(?:OrderedDict|dict)' object has no attribute '(?P<name>eval|train|to|cuda|half|parameters|"
    r"named_parameters|modules|named_modules|children|state_dict|load_state_dict|forward|zero_grad|requires_grad_|"
    r"fuse|names|module|dls)'",
    odds=0.9,
)
def has_no_methods(failure: Failure) -> Hits:
    yield failure.hit(
        f"what was loaded is a dict of weights and has no `{failure.groups['name']}`: build the model, then "
        "model.load_state_dict(...)"
    )


@pitfall.explains(r"'(?:collections\.)?OrderedDict' object is not callable", odds=0.9)
def is_no_function(failure: Failure) -> Hits:
    yield failure.hit(
        "what is called is a dict of weights, not a model: build the model, then model.load_state_dict(...)"
    )


@pitfall.explains(r"too many values to unpack \(expected (?P<n>\d+)", odds=0.9)
def is_no_tuple(failure: Failure) -> Hits:
    if "torch.load(" in failure.line:
        n = failure.groups["n"]
        yield failure.hit(
            f"{n} things are taken out of the file, and it holds another number, as a state dict alone does: print its type and keys"
        )
