r"""`model.train()` is called as if it trained the model.

In PyTorch `train()` sets the mode in which dropout and batch norm work, and takes True or False. It reads no data, computes no loss and changes no weight: `fit` of Keras and
scikit-learn has no counterpart in `nn.Module`, and the loop is written out or left to a trainer.

Cure: `model.train()`, then a loop: forward, loss, `backward()`, `optimizer.step()`; or a trainer of Lightning or Transformers, which takes the loader.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(2, 1)
loader = DataLoader(TensorDataset(torch.ones(4, 2), torch.ones(4, 1)), batch_size=2)
model.train(loader)  # seen: `loop`
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.ones(4, 2), torch.ones(4, 1)), batch_size=2)
model.train()
for x, target in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), target).backward()
    optimizer.step()
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

LOOP = "train() sets the mode and reads no data: model.train(), and then a loop over the loader with loss, backward and step"
pitfall.answers({"training mode is expected to be boolean": LOOP}, odds=0.97)
