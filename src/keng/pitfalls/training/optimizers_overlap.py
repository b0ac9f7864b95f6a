r"""Two optimizers step on the same gradients.

One optimizer refuses to hold a parameter twice; two optimizers do not know of each other. Where both hold
a parameter and both step after one backward, it moves twice, by two learning rates, and each keeps a
momentum that knows nothing of the other's steps.

Cure: each parameter in one optimizer, with a parameter group for what needs another rate.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
head_optimizer = torch.optim.SGD(net[2].parameters(), lr=0.1)  # here: `optimizer` has them too
for step in range(4):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    head_optimizer.step()  # seen: `optimizer` has moved them
```

Bad (of all parameters):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
slow = torch.optim.SGD(net.parameters(), lr=0.01)
fast = torch.optim.Adam(net.parameters(), lr=0.1)  # here: `slow` has them too
for step in range(4):
    slow.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    slow.step()
    fast.step()  # seen: `slow` has moved them
```

Bad (of two models, one a part of another's):

```python
import itertools

import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
decoder = nn.Linear(4, 1)
first = torch.optim.Adam(encoder.parameters(), lr=0.01)
second = torch.optim.Adam(  # here: `first` has the encoder's too
    itertools.chain(decoder.parameters(), encoder[0].parameters()), lr=0.01
)
for step in range(4):
    first.zero_grad()
    second.zero_grad()
    decoder(encoder(torch.randn(8, 4))).square().mean().backward()
    first.step()
    second.step()  # seen: `first` has moved them
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.Adam(
    [{"params": net[0].parameters()}, {"params": net[2].parameters(), "lr": 0.1}]
)
for step in range(4):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
```

Fine (one after the other has ended; two losses; parts of their own):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
head = torch.optim.SGD(net[2].parameters(), lr=0.1)
whole = torch.optim.Adam(net.parameters(), lr=0.01)
body = torch.optim.SGD(net[0].parameters(), lr=0.1)
for optimizers in ([head], [whole], [body, head]):
    for step in range(4):
        net.zero_grad()
        net(torch.randn(8, 4)).square().mean().backward()
        for optimizer in optimizers:
            optimizer.step()
for step in range(4):
    for optimizer in (whole, head):
        optimizer.zero_grad()
        net(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
```

Fine (either of two; by turns):

```python
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
warm = torch.optim.SGD(net.parameters(), lr=0.1)
main = torch.optim.Adam(net.parameters())
for step in range(4):
    net.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    if step < 2:
        warm.step()
    else:
        main.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import OverlappingOptimizers
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def given_to_both(code: Code) -> Hits:
    for made, first in code.optimizers_sharing():
        says = f"`{first}` has them too, and both step in each round: they are moved twice"
        yield code.hit(made, f"`{code.text_of(made.args[0])}`: {says}")


@pitfall.watches("optimizers.overlap")
def moved_twice(seen: OverlappingOptimizers) -> Hits:
    says = f"`{seen.second}` moves {seen.count} parameters once more: `{seen.first}` has moved them"
    yield seen.hit(f"{says} by the same gradients", parameters=seen.count)
