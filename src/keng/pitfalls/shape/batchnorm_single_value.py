r"""A normalization in training gets one value per channel.

In training, batch normalization takes mean and variance of each channel over the batch and the map. Of a
single value there is no variance. So it is with a batch of one sample behind a layer that leaves no map, mostly
the last batch of an epoch, where the number of samples is one more than a multiple of the batch size; and in
prediction when the model was left in training mode. `InstanceNorm` needs more than one
place in the map, `GroupNorm` more than one value in each group.

Cure: `drop_last=True` or another batch size for training; `model.eval()` to predict; `nn.LayerNorm`, or
`nn.GroupNorm` of few groups, where batches of one are meant.

Bad (the last batch):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

net = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4), nn.ReLU())
loader = DataLoader(torch.randn(9, 8), batch_size=4)
for x in loader:
    y = net(x)  # here: nine samples, in batches of four
```

Bad (a pooled map):

```python
import torch
from torch import nn

head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.BatchNorm2d(3))
y = head(torch.randn(1, 3, 8, 8))  # seen: one sample, one place
```

Bad (instance normalization of a single place):

```python
import torch
from torch import nn

head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.InstanceNorm2d(3))
y = head(torch.randn(4, 3, 8, 8))  # seen: one place in each map
```

Bad (a group for each channel):

```python
import torch
from torch import nn

norm = nn.GroupNorm(4, 4)
y = norm(torch.randn(1, 4, 1, 1))  # seen: one value in each group
```

Bad (prediction in training mode):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4))


def predict(x):
    with torch.no_grad():
        return net(x)  # seen: the model was never put in eval mode


y = predict(torch.randn(1, 8))
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

net = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4), nn.ReLU())
loader = DataLoader(torch.randn(9, 8), batch_size=4, drop_last=True)
for x in loader:
    net(x).sum().backward()
net.eval()
with torch.no_grad():
    y = net(torch.randn(1, 8))
```

Fine (a batch more; maps of more than one place; no batch norm; in eval mode):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

net = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4))
maps = nn.Sequential(nn.Conv2d(1, 4, 3, bias=False), nn.BatchNorm2d(4))
plain = nn.Sequential(nn.Linear(8, 4), nn.LayerNorm(4))
for x in DataLoader(torch.randn(10, 8), batch_size=4):
    y = net(x)
for x in DataLoader(torch.randn(9, 8), batch_size=4):
    y = plain(x)
for x in DataLoader(torch.randn(9, 1, 8, 8), batch_size=4):
    y = maps(x)
net.eval()
with torch.no_grad():
    for x in DataLoader(torch.randn(9, 8), batch_size=4):
        y = net(x)
```

Message (torch 1.13 to 2.13):

```text
ValueError: Expected more than 1 value per channel when training, got input size torch.Size([1, 512])
```

Message (torch 0.4):

```text
ValueError: Expected more than 1 value per channel when training, got input size [1, 128, 1, 1]
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.run.moments import BatchOfOne
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

PREDICTS = re.compile(r"eval|valid|test|predict|infer|sample|generate")


@pitfall.finds
def last_batch_of_one(code: Code) -> Hits:
    for call, samples, size in code.forwards_of_single_samples():
        if code.mode_at(call.func, call) in ("", "train"):
            says = f"{samples} samples in batches of {size} leave one for the last: drop_last=True"
            yield code.hit(call, says)


@pitfall.explains(
    r"Expected more than 1 value per channel when training, got input size (?:torch\.Size\()?\[(?P<shape>[\d, ]+)\]",
    odds=0.95,
)
def one_value(failure: Failure) -> Hits:
    shape = [int(size) for size in failure.groups["shape"].split(",")]
    came, fix = f"{failure.layer} is in training mode and gets one sample", None
    if len(shape) > 2:
        came += f" with a map of {' x '.join(map(str, shape[2:]))}"
    functions = [frame.function for frame in failure.frames if frame.user]
    if any(frame.function == "group_norm" for frame in failure.frames):
        came = f"each group of {failure.layer} holds a single value"
        cure = "fewer groups, or a larger map"
    elif any(PREDICTS.search(name) for name in functions):
        cure = "call eval() on the model before predicting"
    else:
        cure = "batch_size above 1 and drop_last=True to train, or eval() on the model to predict"
        path = failure.place.path if failure.place is not None else ""
        lines = [f.line for f in failure.frames if f.path == path]
        if failure.code is not None and len(shape) == 2:
            fix = failure.code.last_left_out(lines)
    yield failure.hit(f"{came}, of which there is no variance: {cure}", fix)


@pitfall.explains(
    r"Expected more than 1 spatial element when training, got input size (?:torch\.Size\()?\[[\d, ]+\]",
    odds=0.95,
)
def one_place(failure: Failure) -> Hits:
    came = f"{failure.layer} normalizes over the map of each sample, and one place is left of it"
    yield failure.hit(f"{came}: larger inputs, less pooling, or another norm")


@pitfall.watches("batch.of.one")
def last_batch_foretold(seen: BatchOfOne) -> Hits:
    if seen.layer:
        says = f"{seen.samples} samples in batches of {seen.batch_size} leave a last batch of one"
        yield seen.hit(f"{says}, of which `{seen.layer}` takes no variance: drop_last=True")
