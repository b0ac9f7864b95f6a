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

Bad (trained first, and frozen then):

```python
import torch
from torch import nn


def fit(model, rounds):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(rounds):
        x = torch.randn(16, 4)
        optimizer.zero_grad()
        (model(x) - x).square().mean().backward()
        optimizer.step()


torch.manual_seed(0)
teacher = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 4))
student = nn.Linear(4, 4)
fit(teacher, 5)
for parameter in teacher.parameters():
    parameter.requires_grad = False
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(16, 4)
    with torch.no_grad():
        target = teacher(x)  # here: it is in training mode still
    optimizer.zero_grad()
    (student(x) - target).square().mean().backward()
    optimizer.step()
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

Bad (woken with the whole model, each epoch):

```python
import torch
from torch import nn


class Tuned(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        for p in self.backbone.parameters():
            p.requires_grad = False
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.backbone(x))


def fit(model, data, optimizer):
    model.train()  # here: the backbone too
    for x in data:
        loss = model(x).square().mean()  # seen: `running statistics`
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


net = Tuned()
fit(net, torch.randn(3, 16, 4) + 3, torch.optim.SGD(net.head.parameters(), lr=0.1))
```

Proof:

```python
assert net.backbone[1].running_mean.abs().max() > 0
```

Bad (the first layers of another, in the mode that they are made in):

```python
import torch
from torch import nn


def published():
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 3))


class Tuned(nn.Module):
    def __init__(self):
        super().__init__()
        whole = published()
        self.features = nn.Sequential(*list(whole.children())[:-1])
        for p in self.features.parameters():
            p.requires_grad = False  # here: and batch norm goes on
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.features(x))


net = Tuned()
optimizer = torch.optim.SGD(net.head.parameters(), lr=0.1)
for x in torch.randn(3, 16, 4) + 3:
    optimizer.zero_grad()
    loss = net(x).square().mean()  # seen: `running statistics`
    loss.backward()
    optimizer.step()
```

Proof:

```python
assert net.features[1].running_mean.abs().max() > 0
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

Fine (the frozen part stays in eval mode: by `train` of its own, by a switch after; thawed later; frozen in part):

```python
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.backbone(x))


class Kept(Base):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.backbone.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self


class Partly(Base):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        for name, p in self.backbone.named_parameters():
            if name.startswith("0"):
                p.requires_grad = False


class Frozen(Base):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.backbone.requires_grad_(False)


def fit(model, data):
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    model.train()
    for x in data:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def fit_frozen(model, data):
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    model.train()
    model.backbone.eval()
    for x in data:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


data = torch.randn(3, 16, 4) + 3
fit(Kept(), data)
fit(Partly(), data)
fit_frozen(Frozen(), data)
```


Fine (a target that follows the model, in statistics too):

```python
import copy

import torch
from torch import nn


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.target = copy.deepcopy(self.online)
        for parameter in self.target.parameters():
            parameter.requires_grad = False

    @torch.no_grad()
    def follow(self):
        for mine, other in zip(self.target.parameters(), self.online.parameters()):
            mine.data = 0.9 * mine.data + 0.1 * other.data

    def forward(self, x):
        return self.online(x) - self.target(x)


model = Student()
optimizer = torch.optim.SGD(model.online.parameters(), lr=0.1)
for step in range(4):
    loss = model(torch.randn(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.follow()
```

Fine (a target that is written to through `.data`):

```python
import copy

import torch
from torch import nn

torch.manual_seed(0)
online = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
target, guess = copy.deepcopy(online).requires_grad_(False), nn.Linear(8, 8)
optimizer = torch.optim.SGD([*online.parameters(), *guess.parameters()], lr=0.1)
for step in range(6):
    x = torch.randn(16, 4)
    with torch.no_grad():
        goal = target(x + 0.1)
    optimizer.zero_grad()
    (guess(online(x)) - goal).square().mean().backward()
    optimizer.step()
    for slow, fast in zip(target.parameters(), online.parameters()):
        slow.data.mul_(0.9).add_(fast.data, alpha=0.1)
```

Fine (a generator that only draws while the critic takes its five turns):

```python
import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 4))
critic = nn.Linear(4, 1)
of_generator = torch.optim.SGD(generator.parameters(), lr=0.01)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.01)
for turn in range(20):
    with torch.no_grad():
        fake = generator(torch.randn(16, 4))
    of_critic.zero_grad()
    (critic(fake).mean() - critic(torch.randn(16, 4)).mean()).backward()
    of_critic.step()
    if turn % 10 == 9:
        critic.requires_grad_(False)
        of_generator.zero_grad()
        (-critic(generator(torch.randn(16, 4)))).mean().backward()
        of_generator.step()
        critic.requires_grad_(True)
```

Fine (a slow encoder of keys inside the model, whose weights follow the fast one's):

```python
import copy

import torch
from torch import nn


class Momentum(nn.Module):
    def __init__(self):
        super().__init__()
        self.fast = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.slow = copy.deepcopy(self.fast).requires_grad_(False)

    def forward(self, x):
        with torch.no_grad():
            for mine, other in zip(self.slow.parameters(), self.fast.parameters()):
                mine.lerp_(other, 0.1)
            keys = self.slow(x + 0.1)
        return self.fast(x) @ keys.T


torch.manual_seed(0)
model = Momentum()
optimizer = torch.optim.SGD(model.fast.parameters(), lr=0.1)
for step in range(24):
    optimizer.zero_grad()
    model(torch.randn(16, 4)).logsumexp(1).mean().backward()
    optimizer.step()
```
"""

from textwrap import shorten

from keng.model import Hits, Pitfall
from keng.run.moments import MovedStatistics
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


@pitfall.finds
def woken_with_the_whole(code: Code) -> Hits:
    for call, part, norms in code.woken_backbones():
        says = (
            f"`{part}` is frozen, and this wakes its batch norm, whose running statistics then move"
        )
        yield code.hit(call, says, layers=", ".join(sorted(norms)))


@pitfall.finds
def frozen_in_the_mode_it_was_made_in(code: Code) -> Hits:
    for where, part, norms in code.frozen_as_made():
        says = f"`{part}` is frozen and in training mode: the running statistics of its batch norm move"
        yield code.hit(where, says, layers=", ".join(sorted(norms)))


@pitfall.watches("statistics.moved")
def statistics_follow_the_batches(seen: MovedStatistics) -> Hits:
    layers = shorten(", ".join(f"`{layer}`" for layer in seen.layers), 80, placeholder=" ...")
    says = f"`{seen.module}` is in training mode, and the running statistics of frozen layers move"
    yield seen.hit(f"{says}: {layers}", layers=len(seen.layers))
