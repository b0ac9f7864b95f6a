r"""An optimizer is made anew for each batch, and forgets what it has gathered.

Adam and its kin divide by an average of past gradients, momentum adds them up. Made within the loop over the batches, the
optimizer begins each step without them: Adam then moves each weight by the learning rate in the direction of the sign of
its gradient, however small that is, and a scheduler that was given the old optimizer changes nothing.

Cure: make it once, before the loop.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
loader = DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=8)
moved = []
for (x,) in loader:
    before = model.bias.detach().clone()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)  # here: what `Adam` keeps is lost
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
    moved.append((model.bias - before).abs().item())
```

Proof:

```python
assert all(abs(step - 0.01) < 1e-5 for step in moved)
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for (x,) in DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=8):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
```

Fine (nothing is kept; a model or an input of its own for each; as it was before each):

```python
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Linear(4, 1)
begun = copy.deepcopy(model.state_dict())
loader = DataLoader(TensorDataset(torch.randn(32, 4)), batch_size=8)


def step(optimizer, model, x):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()


for (x,) in loader:
    plain = torch.optim.SGD(model.parameters(), lr=0.1)
    step(plain, model, x)
for (x,) in loader:
    learner = copy.deepcopy(model)
    inner = torch.optim.Adam(learner.parameters())
    step(inner, learner, x)
for (x,) in loader:
    model.load_state_dict(begun)
    adapting = torch.optim.Adam(model.parameters())
    step(adapting, model, x)
for (x,) in loader:
    lbfgs = torch.optim.LBFGS(model.parameters())

    def closure():
        lbfgs.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        return loss

    lbfgs.step(closure)
```
"""

from keng.model import Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds
def made_for_each_batch(code: Code) -> Hits:
    for call, name in code.optimizers_made_in_rounds():
        says = f"a new `{name}` for each batch: what it gathers of past gradients is lost"
        yield code.hit(call, says)
