r"""Bytes are added, and go round at 256.

An image is read as bytes. With a Python number a tensor keeps its own type: 250 + 60 is 54, and 10 - 20 is 246. The
brightest pixels become the darkest, and no error tells.

Cure: `x.float()` before the arithmetic; or compute first, `clamp`, and cast back.

Bad:

```python
import torch
from torch import nn

torch.manual_seed(0)
images = torch.randint(0, 256, (32, 3, 4, 4), dtype=torch.uint8)
model = nn.Sequential(nn.Flatten(), nn.Linear(48, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(5):
    x = images[torch.randint(32, (8,))]
    brighter = x + 60  # seen: 250 becomes 54
    optimizer.zero_grad()
    model(brighter.float() / 255).square().mean().backward()
    optimizer.step()
```

Proof:

```python
assert (brighter < 60).any()
```

Good:

```python
import torch
from torch import nn

torch.manual_seed(0)
images = torch.randint(0, 256, (32, 3, 4, 4), dtype=torch.uint8)
model = nn.Sequential(nn.Flatten(), nn.Linear(48, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(5):
    x = images[torch.randint(32, (8,))]
    brighter = (x.float() + 60).clamp(max=255)
    optimizer.zero_grad()
    model(brighter / 255).square().mean().backward()
    optimizer.step()
```

Fine (sums that stay below 256; a hash, which is to go round; a number that is no whole one):

```python
import torch
from torch import nn

torch.manual_seed(0)
images = torch.randint(0, 256, (32, 3, 4, 4), dtype=torch.uint8)
codes = torch.randint(0, 256, (32, 8), dtype=torch.uint8)
model = nn.Sequential(nn.Flatten(), nn.Linear(48, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(5):
    x = images // 2 + 60 - images // 8
    halves = images * 0.5
    codes = codes * 31 + 7
    optimizer.zero_grad()
    model(x.float() / 255).square().mean().backward()
    optimizer.step()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import ByteOverflow

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("bytes.overflow")
def goes_round(seen: ByteOverflow) -> Hits:
    says = f"`{seen.sign}` on bytes goes round at 256, in {seen.share:.0%} of the elements"
    yield seen.hit(f"{says}: {seen.worst} becomes {seen.worst % 256}", share=seen.share)
