r"""A number of samples is divided by the number of batches.

`(pred == y).sum()` counts samples, and `len(loader)` is the number of batches: their quotient is no accuracy but the mean
number of hits in a batch, of up to its size. Where each batch gives a mean, that is right but for the last batch, which is
smaller and counts as much as the others.

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

Fine (a mean of each batch; a loss; one sample a batch is all there is; batches of another loader):

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
