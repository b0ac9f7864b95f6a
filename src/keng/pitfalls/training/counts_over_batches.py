r"""A number of samples is divided by the number of batches.

`(pred == y).sum()` counts samples, and `len(loader)` is the number of batches: their quotient is no accuracy but the mean
number of hits in a batch, of up to its size. Where each batch gives a mean, that is right but for the last batch, which is
smaller and counts as much as the others. `len(loader) * batch_size` takes that batch for a whole one as well, and what is
divided by it comes out too small; only with `drop_last=True` it is the number of samples. Where it is not known how many
samples there are, `keng check --suspicious` tells it.

Cure: divide by the samples: `len(loader.dataset)`, or count `y.numel()` as you go.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 2).eval()
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(2, (64,))), batch_size=16)
correct = 0
with torch.no_grad():
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
accuracy = correct / len(loader)  # here: hits in a batch
```

Proof:

```python
assert accuracy > 1
```

Bad (in percent):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 2).eval()
test_loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(2, (64,))), batch_size=16)
hits = 0
with torch.no_grad():
    for i, (x, y) in enumerate(test_loader):
        hits += model(x).argmax(1).eq(y).float().sum()
percent = 100.0 * hits / len(test_loader)  # here: of 64 samples
```

Proof:

```python
assert percent > 100
```

Bad (the last batch has 4 samples):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 2).eval()
x = torch.randn(100, 4)
data = TensorDataset(x, model(x).argmax(1))
loader = DataLoader(data, batch_size=32)
correct = 0
with torch.no_grad():
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
accuracy = correct / (len(loader) * loader.batch_size)  # here: of 128
```

Proof:

```python
assert accuracy < 0.8
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 2).eval()
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(2, (64,))), batch_size=16)
correct = 0
with torch.no_grad():
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
accuracy = correct / len(loader.dataset)
```

Fine (a mean of each batch; a loss; one sample a batch is all there is; whole batches alone; no last one that is smaller):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 2).eval()
data = TensorDataset(torch.randn(64, 4), torch.randint(2, (64,)))
loader, single = DataLoader(data, batch_size=16), DataLoader(data)
accuracy = total = hits = count = 0.0
with torch.no_grad():
    for x, y in loader:
        accuracy += (model(x).argmax(1) == y).float().mean().item()
        total += nn.functional.cross_entropy(model(x), y).item()
        count += (model(x).argmax(1) == y).sum().item() / len(y)
    for x, y in single:
        hits += (model(x).argmax(1) == y).sum().item()
print(accuracy / len(loader), total / len(loader), count / len(loader), hits / len(single))
rows = TensorDataset(torch.randn(70, 4), torch.randint(2, (70,)))
whole, correct, right = DataLoader(rows, batch_size=16, drop_last=True), 0, 0
with torch.no_grad():
    for x, y in whole:
        correct += (model(x).argmax(1) == y).sum().item()
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()
print(correct / (len(whole) * whole.batch_size), right / (16 * len(loader)))
```
"""

import ast

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def divided_by_batches(code: Code) -> Hits:
    for divided, name, loader in code.counts_over_batches():
        text = code.text_of(loader)
        says = f"`{name}` counts samples, and `len({text})` batches: `len({text}.dataset)`"
        assert isinstance(divided.right, ast.Call)
        fix = Fix("Divide by the samples", (code.append(divided.right.args[0], ".dataset"),))
        yield code.hit(divided, says, fix)


@pitfall.finds(fixes=True)
def last_batch_taken_for_whole(code: Code) -> Hits:
    for product, loader, sure in code.counts_over_whole_batches():
        text = code.text_of(loader)
        says = (
            f"`{code.text_of(product)}` takes the last batch for a whole one: `len({text}.dataset)`"
        )
        fix = Fix("Divide by the samples", (code.replace(product, f"len({text}.dataset)"),))
        yield code.hit(product, says, fix, sure)
