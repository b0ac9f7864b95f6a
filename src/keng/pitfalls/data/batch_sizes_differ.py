r"""One tensor of a batch holds a single sample, and broadcasting hides it.

A processor or a `collate_fn` that makes one image of eight gives a tensor of one row beside others of eight. Added
to them it is broadcast: the model runs, and each sample is trained with the same image.

Cure: compare the first dimensions of what a batch holds, once; stack, do not average or take the first.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader


def collate(samples):
    images, numbers, labels = zip(*samples)
    return torch.stack(images)[:1], torch.stack(numbers), torch.stack(labels)


torch.manual_seed(0)
samples = [(torch.rand(4), torch.rand(4), torch.randint(2, ())) for _ in range(48)]
loader = DataLoader(samples, batch_size=8, collate_fn=collate)
see, read = nn.Linear(4, 2), nn.Linear(4, 2)
optimizer = torch.optim.SGD([*see.parameters(), *read.parameters()], lr=0.1)
for image, numbers, y in loader:  # seen: (1, 4) among eight samples
    optimizer.zero_grad()
    nn.functional.cross_entropy(see(image) + read(numbers), y).backward()
    optimizer.step()
```

Proof:

```python
assert image.shape == (1, 4) and len(y) == 8
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader


def collate(samples):
    images, numbers, labels = zip(*samples)
    return torch.stack(images), torch.stack(numbers), torch.stack(labels)


torch.manual_seed(0)
samples = [(torch.rand(4), torch.rand(4), torch.randint(2, ())) for _ in range(48)]
loader = DataLoader(samples, batch_size=8, collate_fn=collate)
see, read = nn.Linear(4, 2), nn.Linear(4, 2)
optimizer = torch.optim.SGD([*see.parameters(), *read.parameters()], lr=0.1)
for image, numbers, y in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(see(image) + read(numbers), y).backward()
    optimizer.step()
```

Fine (a mask and positions for all samples; one number a batch; a mask as long as the longest; samples laid end to end; nodes of graphs; a batch of one):

```python
import torch
from torch.utils.data import DataLoader


def shared(samples):
    mask, rate = torch.ones(4, 4).triu(1)[None], torch.rand(1)
    places = torch.randint(9, (1, 4))
    return {"x": torch.stack(samples), "mask": mask, "rate": rate, "at": places, "s": rate[None]}


def padded(samples):
    longest = int(samples[0].sum() * 10) + 3
    return torch.stack(samples), torch.randn(1, 1, longest, longest)


def packed(samples):
    return torch.cat(samples)[None], torch.arange(4 * len(samples))[None]


def graphs(samples):
    return torch.cat(samples).view(-1, 2), torch.rand(1, 3), torch.stack(samples)


torch.manual_seed(0)
samples = list(torch.rand(32, 4))
for collate, size in ((shared, 8), (padded, 8), (packed, 8), (graphs, 8), (torch.stack, 1)):
    for batch in DataLoader(samples, batch_size=size, collate_fn=collate):
        rows = [len(part) for part in batch]
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import CollapsedBatch

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("batch.collapsed")
def one_for_all(seen: CollapsedBatch) -> Hits:
    says = f"`{seen.name}` is of shape {seen.shape}, and {seen.samples} samples are in the batch"
    yield seen.hit(f"{says}: one stands for all of them", samples=seen.samples)
