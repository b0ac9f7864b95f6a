r"""Inputs and their labels are put in two different random orders.

`x[torch.randperm(n)]` and `y[torch.randperm(n)]` draw two permutations: each input gets the label of another. So does a helper that draws its own,
called once for the inputs and once for the labels, as in mixup. The loss falls to what the frequencies of the labels
tell and stays there; with mixup, where half of the pair is right, the model learns, only worse.

Cure: draw one permutation and use it for both: `order = torch.randperm(n)`, `x[order]`, `y[order]`.

Bad:

```python
import torch

torch.manual_seed(0)
x = torch.arange(100.0)
y = (x > 49).long()
x = x[torch.randperm(100)]
y = y[torch.randperm(len(y))]  # here: another permutation
```

Proof:

```python
assert (y == (x > 49)).float().mean() < 0.7
```

Bad (mixup, by a helper that draws its own partners):

```python
import torch
from torch.nn import functional as F


def blend(t, lam):
    partner = torch.randperm(t.size(0))
    return lam * t + (1 - lam) * t[partner]


def mixup(x, y, classes):
    lam = torch.distributions.Beta(0.8, 0.8).sample()
    target = F.one_hot(y, classes).float()
    return blend(x, lam), blend(target, lam)  # here: two draws


torch.manual_seed(0)
labels = torch.arange(8)
mixed, targets = mixup(F.one_hot(labels, 8).float(), labels, 8)
```

Proof:

```python
assert not torch.allclose(mixed, targets)
```

Bad (mixed by hand; shuffled in place):

```python
import random

import torch

torch.manual_seed(0)
images, labels = torch.randn(8, 3), torch.eye(8)
mixed = 0.7 * images + 0.3 * images[torch.randperm(8)]
labels = 0.7 * labels + 0.3 * labels[torch.randperm(8), :]  # here: another partner
files, targets = [f"{n}.png" for n in range(100)], list(range(100))
random.shuffle(files)
random.shuffle(targets)  # here: another order
```

Proof:

```python
assert [f"{n}.png" for n in targets] != files
```

Good:

```python
import torch

torch.manual_seed(0)
x = torch.arange(100.0)
y = (x > 49).long()
order = torch.randperm(100)
x, y = x[order], y[order]
```

Fine (one order under several names; the same seed; the same generator anew; views of one kind; pairs that are to be apart):

```python
import random

import torch

random.seed(0)
x, y = torch.randn(8, 3), torch.randint(2, (8,))
order = torch.randperm(8)
x = x[order]
y = y[order]
lam = 0.3
mixed = lam * x + (1 - lam) * x[order]
first = torch.randn(8, 3)
first = 0.5 * first + 0.5 * first[torch.randperm(8)]
x = 0.5 * x + 0.5 * x[torch.randperm(8)]
y_other = y[torch.randperm(8)]
x_other = x[torch.randperm(8)]
null = [y[torch.randperm(8)].float().mean() for _ in range(3)]


def together(inputs, labels):
    torch.manual_seed(0)
    inputs = inputs[torch.randperm(8)]
    torch.manual_seed(0)
    labels = labels[torch.randperm(8)]
    return inputs, labels


def by_generator(inputs, labels):
    inputs = inputs[torch.randperm(8, generator=torch.Generator().manual_seed(0))]
    labels = labels[torch.randperm(8, generator=torch.Generator().manual_seed(0))]
    return inputs, labels


def listed(inputs, labels):
    state = random.getstate()
    random.shuffle(inputs)
    random.setstate(state)
    random.shuffle(labels)
    return inputs, labels


x, y = together(x, y)
x, y = by_generator(x, y)
files, targets = listed(list(range(8)), list(range(8)))
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds
def another_order(code: Code) -> Hits:
    for place, labels, others in code.permuted_apart():
        says = f"`{labels}` and `{others}` are put in two random orders, drawn apart: one for both"
        yield code.hit(place, says)
