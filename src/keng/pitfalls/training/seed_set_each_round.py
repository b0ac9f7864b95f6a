r"""The same seed is set again in each round of a training.

`torch.manual_seed` starts the sequence of random numbers anew. Within the loop over epochs each of them shuffles the data in
the same order, drops the same units and draws the same noise: the randomness that was to help is gone, and nothing says so.

Cure: seed once, before the loop; or `seed + epoch`, where an epoch must come out the same after a resume.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model, seen = nn.Linear(4, 1), []
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=8, shuffle=True)
for epoch in range(2):
    torch.manual_seed(42)  # here: one order for all epochs
    for (x,) in loader:
        seen.append(x)
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
```

Proof:

```python
assert all(torch.equal(one, other) for one, other in zip(seen[:4], seen[4:]))
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(42)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=8, shuffle=True)
for epoch in range(2):
    for (x,) in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
```

Fine (several runs; a seed for each epoch; put back afterwards; before a training of its own):

```python
import torch
from torch import nn

x = torch.randn(8, 4)


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        torch.manual_seed(epoch)
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
        with torch.random.fork_rng():
            torch.manual_seed(0)
            sample = model(torch.randn(2, 4))


for seed in (0, 1):
    torch.manual_seed(seed)
    train(nn.Linear(4, 1))
for lr in (0.1, 0.2):
    torch.manual_seed(0)
    train(nn.Linear(4, 1))


def fold(number):
    train(nn.Linear(4, 1))


for number in range(2):
    torch.manual_seed(0)
    fold(number)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def rounds_that_are_alike(code: Code) -> Hits:
    for call in code.seeds_in_training():
        yield code.hit(call, "each round draws the same random numbers: seed once, before the loop")
