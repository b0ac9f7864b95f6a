r"""Gradients of several batches are added up, and not divided.

Stepping once in k batches makes one large batch of k small ones only if each loss is divided by k:
`backward` adds. Without that the gradients are k times as large, which plain SGD feels as a learning
rate k times as high, clipping as a norm k times as great. (Adam divides by the size of the gradients
and hardly notices; its clipping does.)

Cure: `(loss / k).backward()`.

Bad:

```python
import torch
import torch.nn.functional as F
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation = 4
for step in range(8):
    loss = F.mse_loss(model(torch.ones(2, 4)), torch.full((2, 1), 100.0))
    loss.backward()  # here: four losses are added up
    if (step + 1) % accumulation == 0:
        gradient = model.weight.grad.abs().mean()
        optimizer.step()
        optimizer.zero_grad()
    if step == 3:
        first = gradient
```

Proof:

```python
assert first > 600
```

Bad (of a loader's batches):

```python
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=4)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, (x, y) in enumerate(loader):
    loss = F.mse_loss(model(x), y)
    loss.backward()  # here: four losses are added up
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
```

Bad (four batches are drawn together):

```python
from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batches = iter(DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=4))
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
while four := list(islice(batches, 4)):
    for x, y in four:
        F.mse_loss(model(x), y).backward()  # seen: 4 batches
    optimizer.step()
    optimizer.zero_grad()
```

Bad (without a loader, in a function):

```python
import torch
import torch.nn.functional as F
from torch import nn


def train(model, optimizer, x, y, accumulate):
    for step, (part, wanted) in enumerate(zip(x.split(4), y.split(4))):
        loss = F.cross_entropy(model(part), wanted)
        loss.backward()  # here: four losses are added up
        if (step + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()


torch.manual_seed(0)
model = nn.Linear(4, 3)
x, y = torch.randn(64, 4), torch.randint(3, (64,))
train(model, torch.optim.SGD(model.parameters(), lr=0.1), x, y, accumulate=4)
```

Bad (clipped, where there is nothing to clip):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step, x in enumerate(torch.randn(16, 8, 4)):
    F.mse_loss(model(x), x.sum(1, keepdim=True)).backward()  # seen: four losses are added up
    if step % 4 == 3:
        nn.utils.clip_grad_norm_(model.parameters(), 100.0)
        optimizer.step()
        optimizer.zero_grad()
```

Bad (a loop over micro-batches, and a model that gives its loss):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 1)

    def forward(self, x, y=None):
        output = self.head(x)
        if y is None:
            return output, None
        return output, F.mse_loss(output, y)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps = 4
for step in range(2):
    for micro in range(accumulation_steps):
        with torch.autocast("cpu", enabled=False):
            _, loss = model(torch.ones(2, 4), torch.full((2, 1), 100.0))
        loss.backward()  # here: four losses are added up
    if step == 0:
        first = model.head.weight.grad.abs().mean()
    optimizer.step()
    optimizer.zero_grad()
```

Proof:

```python
assert first > 600
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation = 4
for step in range(8):
    loss = F.mse_loss(model(torch.ones(2, 4)), torch.full((2, 1), 100.0))
    (loss / accumulation).backward()
    if (step + 1) % accumulation == 0:
        optimizer.step()
        optimizer.zero_grad()
```

Fine (divided where it is made; terms of one loss, each gone back for itself):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 1)

    def forward(self, x, y):
        output = self.head(x)
        return output, F.mse_loss(output, y)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps, scales = 4, 3
for step in range(2):
    for micro in range(accumulation_steps):
        with torch.autocast("cpu", enabled=False):
            _, loss = model(torch.ones(2, 4), torch.ones(2, 1))
            loss = loss / accumulation_steps
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
x, y = torch.ones(2, 4), torch.ones(2, 1)
for step in range(2):
    for scale in range(scales):
        _, loss = model(x / (scale + 1), y)
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
```

Fine (of a loader's batches: divided; a generator and a discriminator; two losses; Adam, which divides itself):

```python
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=4)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step, (x, y) in enumerate(loader):
    (F.mse_loss(model(x), y) / 4).backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
for x, y in loader:
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    F.l1_loss(model(-x), y).backward()
    optimizer.step()
for step, (x, y) in enumerate(loader):
    F.mse_loss(model(x), y).backward()
    if (step + 1) % 4 == 0:
        for p in model.parameters():
            p.grad /= 4
        optimizer.step()
        optimizer.zero_grad()
adam = torch.optim.Adam(model.parameters())
for step, (x, y) in enumerate(loader):
    F.mse_loss(model(x), y).backward()
    if step % 4 == 3:
        adam.step()
        adam.zero_grad()
```

Fine (several draws on one batch; one target at a time; labels that are ones for all that is real):

```python
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model, ones = nn.Linear(4, 1), torch.ones(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(4):
    x, y = torch.randn(8, 4), torch.randn(8, 1)
    optimizer.zero_grad()
    for draw in range(3):
        F.mse_loss(model(x + 0.1 * torch.randn_like(x)), y).backward()
    optimizer.step()
for episode in range(4):
    optimizer.zero_grad()
    for x, wanted in zip(torch.randn(5, 4), torch.randn(5)):
        F.mse_loss(model(x).squeeze(), wanted).backward()
    optimizer.step()
for step in range(4):
    optimizer.zero_grad()
    for scale in (1.0, 0.5):
        F.binary_cross_entropy_with_logits(model(scale * torch.randn(8, 4)), ones).backward()
    optimizer.step()
```

Fine (two batches are drawn together; of each there are two draws, or a part is divided):

```python
from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for parts in (1, 2):
    batches = iter(DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=4))
    while two := list(islice(batches, 2)):
        for x, y in two:
            for _ in range(3 - parts):
                loss = F.mse_loss(model(x + 0.1 * torch.randn_like(x)), y)
                (loss / 2 if parts == 2 else loss).backward()
            if parts == 1:
                optimizer.step()
                optimizer.zero_grad()
        optimizer.step()
        optimizer.zero_grad()
```

Fine (divided before; a sum, which is meant to grow; gradients cleared in each batch):

```python
import torch
import torch.nn.functional as F
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
x, y = torch.ones(2, 4), torch.ones(2, 1)
for step in range(8):
    loss = F.mse_loss(model(x), y)
    loss = loss / 4
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
for step in range(8):
    loss = F.mse_loss(model(x), y, reduction="sum")
    loss.backward()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
for step in range(8):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    if step % 2 == 0:
        optimizer.step()
for step in range(8):
    loss = F.mse_loss(model(x), y)
    loss.backward()
    if (step + 1) % 4 == 0:
        for p in model.parameters():
            p.grad /= 4
        optimizer.step()
        optimizer.zero_grad()
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.run.moments import AccumulatedGradients
from keng.source import Act, Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def added_and_not_divided(code: Code) -> Hits:
    by_itself = not code.uses_framework() and not code.imports("accelerate.")
    for loop in code.training_loops if by_itself else ():
        rounds = code.accumulates(loop)
        for backward in loop.all(Act.BACKWARD) if rounds is not None else ():
            loss = code.undivided(backward)
            if rounds is None or loss is None:
                continue
            times = code.text_of(rounds)
            text = f"{loss.id} / {code.operand(rounds)}"
            edit = code.replace(loss, text if code.is_taken_whole(loss) else f"({text})")
            fix = Fix("Divide the loss", (edit,))
            says = f"the gradients of {times} batches are added up, and `{loss.id}` is not divided"
            yield code.hit(backward.call, says, fix=fix)


@pitfall.watches("gradients.accumulated")
def sum_of_means(seen: AccumulatedGradients) -> Hits:
    if not seen.normalizes:
        says = f"the mean losses of {seen.rounds} batches are added up, and none is divided"
        yield seen.hit(
            f"{says}: `{seen.optimizer}` steps {seen.rounds} times as far", rounds=seen.rounds
        )
