r"""A layer gets an input of another size than it was made for.

`nn.Linear(in_features, out_features)` takes inputs whose last dimension is `in_features`; a convolution
takes inputs with `in_channels` channels, in the second dimension, and at least as large as its kernel.
The size that arrives depends on everything before the layer: a flatten after another input size, one
pooling more or less, grey images where colour was expected.

Cure: make the layer for what arrives, or mend what arrives; the message holds both numbers.

Bad (a linear layer):

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc = nn.Linear(8 * 28 * 28, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x)).flatten(1)
        return self.fc(x)  # seen: 5408 features arrive, 6272 were expected


net = Net()
net(torch.randn(2, 1, 28, 28))
```

Bad (a convolution):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU())
images = torch.randn(2, 1, 4, 4)
out = net(images)  # seen: grey images
```

Bad (channels last):

```python
import torch
from torch import nn

conv = nn.Conv2d(3, 6, 3)
images = torch.zeros(2, 32, 48, 3)
out = conv(images)  # seen: the channels are the last dimension
```

Bad (nothing left to convolve):

```python
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.MaxPool2d(2), nn.Conv2d(4, 4, 5))
out = net(torch.randn(2, 1, 10, 10))  # seen: 4 x 4 is left for a kernel of 5 x 5
```

Bad (two matrices, no layer):

```python
import torch

a, b = torch.ones(2, 4), torch.ones(3, 3)
c = a @ b  # seen: 4 columns against 3 rows
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc = nn.Linear(8 * 26 * 26, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x)).flatten(1)
        return self.fc(x)


net = Net()
net(torch.randn(2, 1, 28, 28))
```

Message (torch 1.4):

```text
RuntimeError: size mismatch, m1: [4 x 7], m2: [10 x 2] at /pytorch/aten/src/TH/generic/THTensorMath.cpp:136
```

Message (torch 1.0):

```text
RuntimeError: Given groups=1, weight of size 64 3 7 7, expected input[16, 1, 224, 224] to have 3 channels, but got 1 channels instead
```
"""

from keng.model import Hits, Pitfall
from keng.moments import Failure

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"mat1 and mat2 shapes cannot be multiplied \((?P<rows>\d+)x(?P<came>\d+) and (?P<wants>\d+)x\d+\)",
    r"size mismatch, m1: \[(?P<rows>\d+) x (?P<came>\d+)\], m2: \[(?P<wants>\d+) x \d+\]",
)
def features(failure: Failure) -> Hits:
    came, wants = int(failure.groups["came"]), int(failure.groups["wants"])
    if not failure.in_layer("Linear"):
        yield failure.hit(f"the left matrix has {came} columns, but the right has {wants} rows")
        return
    fix = failure.remade("in_features", 0, wants, came)
    says = f"{failure.layer} takes {wants} features, but gets {came}: in_features={came}"
    yield failure.hit(says, fix=fix, wants=wants, came=came)


@pitfall.explains(
    r"Given (?:groups|transposed)=(?P<groups>\d+), weight of size \[?[\d, ]+\]?, expected input\[(?P<shape>[\d, ]+)\] "
    r"to have (?P<wants>\d+) channels, but got (?P<came>\d+) channels instead"
)
def channels(failure: Failure) -> Hits:
    came, wants = int(failure.groups["came"]), int(failure.groups["wants"])
    shape = [int(size) for size in failure.groups["shape"].split(",")]
    says = f"{failure.layer} takes {wants} channels, but gets {came}"
    if shape[-1] == wants and len(shape) == 4:
        yield failure.hit(f"{says}: the channels are the last dimension; x.permute(0, 3, 1, 2)")
        return
    fix = failure.remade("in_channels", 0, wants, came)
    yield failure.hit(f"{says}: in_channels={came}", fix=fix, wants=wants, came=came)


@pitfall.explains(
    r"Calculated padded input size per channel: \((?P<came>[\dx ]+)\)\. Kernel size: \((?P<wants>[\dx ]+)\)\. "
    r"Kernel size can't be greater than actual input size"
)
def extent(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    says = f"{failure.layer} has a kernel of {wants}, but only {came} arrives, padding included"
    yield failure.hit(f"{says}: larger inputs, more padding or less pooling")
