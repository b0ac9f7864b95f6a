r"""A frozen part goes on learning through its batch statistics.

`requires_grad_(False)` stops gradients, and `no_grad` does; neither stops batch normalization. In training mode every
forward pass moves the running mean and variance towards the batch at hand, whether a backward follows or not. A frozen
backbone so drifts away from what it was trained to be, and dropout in it stays on.

Cure: `backbone.eval()` after each `model.train()`; or override `train()` in the model so that it leaves the frozen part
in eval mode.

Bad:

```python
import torch
from torch import nn

backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
backbone.requires_grad_(False)
head = nn.Linear(8, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = head(backbone(torch.randn(16, 4) + 3)).square().mean()  # here: `running statistics`
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert backbone[1].running_mean.abs().max() > 0
```

Bad (under no_grad):

```python
import torch
from torch import nn

teacher = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
student = nn.Linear(4, 1)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(16, 4) + 3
    with torch.no_grad():
        target = teacher(x)  # here: no gradients, and yet it changes
    optimizer.zero_grad()
    loss = (student(x) - target).square().mean()
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert teacher[1].running_mean.abs().max() > 0
```

Bad (a part of the model):

```python
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
model[:2].requires_grad_(False)
optimizer = torch.optim.SGD(model[2].parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 4) + 3).square().mean()  # seen: the running statistics of `1`
    loss.backward()
    optimizer.step()
```

Good:

```python
import torch
from torch import nn

backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
backbone.requires_grad_(False)
backbone.eval()
head = nn.Linear(8, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = head(backbone(torch.randn(16, 4) + 3)).square().mean()
    loss.backward()
    optimizer.step()
```

Fine (no batch statistics; trained in other steps; unfrozen later; a discriminator that takes turns):

```python
import torch
from torch import nn

plain = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8)).requires_grad_(False)
both = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
head = nn.Linear(8, 1)
optimizer = torch.optim.SGD([*head.parameters(), *both.parameters()], lr=0.1)
for step in range(3):
    both.requires_grad_(False)
    x = torch.randn(16, 4)
    optimizer.zero_grad()
    head(plain(x)).square().mean().backward()
    optimizer.step()
    both.requires_grad_(True)
    with torch.no_grad():
        target = both(x)
    optimizer.zero_grad()
    (head(both(x)) - target.mean()).square().mean().backward()
    optimizer.step()
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.moments import MovedStatistics
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def frozen_and_still_in_training_mode(code: Code) -> Hits:
    for call in code.frozen_forwards():
        norms = {name for name in code.mode_layers(call.func) or () if "BatchNorm" in name}
        if norms and code.mode_at(call.func, call) in ("", "train"):
            name = code.text_of(call.func)
            says = f"`{name}` is not to learn, and its running statistics follow each batch"
            yield code.hit(call, f"{says}: nothing put it in eval mode")


@pitfall.watches("statistics.moved")
def statistics_follow_the_batches(seen: MovedStatistics) -> Hits:
    layers = shorten(", ".join(f"`{layer}`" for layer in seen.layers), 80, placeholder=" ...")
    says = f"`{seen.module}` is in training mode, and the running statistics of frozen layers move"
    yield seen.hit(f"{says}: {layers}", layers=len(seen.layers))
