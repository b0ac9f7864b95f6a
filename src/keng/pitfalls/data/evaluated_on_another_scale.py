r"""A model is evaluated on images of another scale than it is trained on.

The training set divides by 255, or normalizes, and the validation set, written a second time, does not. Nothing
fails: the first layer gets values a hundred times as large, and what the model gives for them is near to chance,
which looks like a model that does not generalize.

Cure: one function for what both sets do; only augmentation differs between them.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, train):
        self.raw = torch.randint(256, (16, 1, 4, 4))
        self.train = train

    def __len__(self):
        return len(self.raw)

    def __getitem__(self, index):
        image = self.raw[index].float()
        return image / 255 if self.train else image


net = nn.Sequential(nn.Flatten(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for image in DataLoader(Images(train=True), batch_size=8):
    optimizer.zero_grad()
    net(image).square().mean().backward()
    optimizer.step()
net.eval()
with torch.no_grad():
    for image in DataLoader(Images(train=False), batch_size=8):
        scores = net(image)  # seen: up to 255
```

Proof:

```python
assert scores.abs().max() > 5
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

raw = torch.randint(256, (16, 1, 4, 4)) / 255
net = nn.Sequential(nn.Flatten(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for image in DataLoader(raw[:8], batch_size=8):
    optimizer.zero_grad()
    net(image).square().mean().backward()
    optimizer.step()
net.eval()
with torch.no_grad():
    for image in DataLoader(raw[8:], batch_size=8):
        scores = net(image)
```

Fine (divided in one loop; a darker set; two models; a table whose columns differ):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

raw = torch.randint(256, (16, 1, 4, 4)).float()
net, other = (nn.Sequential(nn.Flatten(), nn.Linear(16, 1)) for _ in range(2))
table = nn.Linear(4, 1)
optimizer = torch.optim.SGD([*net.parameters(), *other.parameters(), *table.parameters()], lr=0.0)
for image in DataLoader(raw / 255, batch_size=8):
    (net(image) + other(image * 255)).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()
for row in DataLoader(torch.rand(8, 4), batch_size=8):
    table(row).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
for each in (net.eval(), other.eval(), table.eval()):
    with torch.no_grad():
        for image in DataLoader(raw, batch_size=8):
            table(255 * row) if each is table else each(image / 255 if each is net else image)
        for image in DataLoader(raw / 2550, batch_size=8):
            net(image)
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import InputScales

pitfall = Pitfall(__name__, __doc__, severity="error")

TIMES = 12
"""Images may have 16 grey levels only."""
NEAR_ONE = (0.2, 5)
"""The largest absolute value of images that are divided by 255, or normalized."""


@pitfall.watches("input.scales")
def divided_in_one_of_two(seen: InputScales) -> Hits:
    small, large = sorted((seen.trained, seen.evaluated))
    if NEAR_ONE[0] < small < NEAR_ONE[1] and large > TIMES * small:
        says = f"`{seen.module}` is trained on images up to {seen.trained:.3g}"
        yield seen.hit(f"{says}, and evaluated on such up to {seen.evaluated:.3g}")
