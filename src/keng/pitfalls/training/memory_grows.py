r"""A list gets a tensor at every step, and nobody empties it.

What a module, a trainer or a hook notes for a plot or a debugging session, a clone of the activations at each forward,
stays in memory as long as the list does. Without a graph it is no leak that autograd knows of: the run ends after hours,
killed by the kernel, at a line that is innocent.

Cure: keep a number (`.item()`, `.mean()`), keep the last few (`collections.deque(maxlen=100)`), or clear the list at the
end of each epoch.

Bad:

```python
import torch
from torch import nn


class Noted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 512)
        self.activations = []

    def forward(self, x):
        out = self.layer(x)
        self.activations.append(out.detach())  # seen: has got something at every step
        return out


torch.manual_seed(0)
model = nn.Sequential(Noted(), nn.ReLU(), nn.Linear(512, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(140):
    optimizer.zero_grad()
    model(torch.randn(64, 8)).square().mean().backward()
    optimizer.step()
```

Proof:

```python
assert len(model[0].activations) == 140
```

Bad (read at the end of each epoch, and not emptied):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self):
        self.model = nn.Linear(2048, 2048)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.outputs = []

    def step(self, x):
        out = self.model(x)
        self.optimizer.zero_grad()
        out.square().mean().backward()
        self.optimizer.step()
        self.outputs.append(out.detach())  # seen: 4 passes

    def epoch(self, loader):
        for x in loader:
            self.step(x)
        return torch.cat(self.outputs).mean().item()


torch.manual_seed(0)
trainer = Trainer()
for epoch in range(5):
    print(trainer.epoch(DataLoader(torch.randn(480, 2048), batch_size=16)))
```

Proof:

```python
assert len(trainer.outputs) == 150
```

Good:

```python
from collections import deque

import torch
from torch import nn


class Noted(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 512)
        self.activations = deque(maxlen=16)

    def forward(self, x):
        out = self.layer(x)
        self.activations.append(out.detach())
        return out


torch.manual_seed(0)
model = nn.Sequential(Noted(), nn.ReLU(), nn.Linear(512, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(140):
    optimizer.zero_grad()
    model(torch.randn(64, 8)).square().mean().backward()
    optimizer.step()
```

Fine (outputs of one epoch, with evaluations in it; memories that are drawn from; parts of what is there anyway; numbers):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
model = nn.Linear(8, 512)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data = torch.randn(140 * 64, 8)
outputs, memory, rows, losses = [], [], [], []
for step, x in enumerate(DataLoader(data, batch_size=64)):
    optimizer.zero_grad()
    out = model(x)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
    outputs.append(out.detach())
    losses.append(loss.item())
    if step % 20 == 0:
        with torch.no_grad():
            print(max(model(x).mean().item() for x in DataLoader(data[:128], batch_size=64)))
print(torch.cat(outputs).mean().item())
big = torch.zeros(5_000_000)
for step in range(140):
    memory.append(torch.randn(64, 1024))
    rows.append(big[step])
    losses.append(step)
    optimizer.zero_grad()
    model(memory[torch.randint(len(memory), ())][:, :8]).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import GatheredItems

pitfall = Pitfall(__name__, __doc__, severity="warning")

MUCH = 16_000_000
EACH = 1000
"""Bytes. Numbers of each step are kept on purpose, and are not felt."""


@pitfall.watches("items.gathered")
def never_emptied(seen: GatheredItems) -> Hits:
    if seen.bytes < MUCH or seen.bytes < EACH * seen.items or (seen.used and not seen.passes):
        return
    through = f", through {seen.passes} passes over the data" if seen.passes else ""
    says = f"`{seen.name}` has got something at every step{through}, and was never emptied"
    size = f"{seen.items} items, {seen.bytes / 1e6:.0f} MB"
    yield seen.hit(f"{says}: {size}", items=seen.items, bytes=seen.bytes)
