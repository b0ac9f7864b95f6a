r"""The time steps of a recurrent layer are taken for its batch.

`nn.RNN`, `nn.LSTM` and `nn.GRU` take and give `(length, batch, features)`, unless they are made with
`batch_first=True`. A tensor in the other order fits as well, since both sizes are free: the layer then walks
from sample to sample and treats time steps as independent, and nothing tells. `out[:, -1]`, meant as the last
step, is the last sample of the batch.

Cure: `batch_first=True` for data of shape `(batch, length, features)`; otherwise `out[-1]` is the last step.

Bad:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 8)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out[:, -1, :])  # here: the last sample, not the last step


net = Net()
x = torch.randn(4, 10, 3)
changed = x.clone()
changed[:, 0] += 1
with torch.no_grad():
    y, other = net(x), net(changed)
```

Proof:

```python
assert torch.equal(y, other)  # the first step does not matter
```

Bad (put in order by hand, and then read the other way):

```python
import torch
from torch import nn

gru = nn.GRU(3, 8)
x = torch.randn(4, 10, 3)
steps = x.transpose(0, 1)
out, hidden = gru(steps)
last = out[:, -1]  # here: the last sample, not the last step
```

Proof:

```python
assert last.shape == (10, 8)
```

Bad (batches of a loader):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(32, 10, 3), torch.randn(32, 10, 1)), batch_size=8)
gru, head = nn.GRU(3, 8), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*gru.parameters(), *head.parameters()])
for x, y in loader:
    optimizer.zero_grad()
    out, hidden = gru(x)  # seen: batches of 8, 10 steps each
    (head(out) - y).square().mean().backward()
    optimizer.step()
```

Good:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 8, batch_first=True)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out[:, -1, :])


net = Net()
y = net(torch.randn(4, 10, 3))
```

Fine (batches of a loader in either order; one step at a time):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(torch.randn(32, 10, 3), batch_size=8)
first, second = nn.GRU(3, 8, batch_first=True), nn.LSTM(3, 8)
for x in loader:
    out, hidden = first(x)
    out, hidden = second(x.transpose(0, 1))
    for step in x.unbind(1):
        out, hidden = second(step.unsqueeze(0))
```

Fine (length first throughout; the order changed back; the last features):

```python
import torch
from torch import nn

gru = nn.GRU(3, 8)
out, hidden = gru(torch.randn(10, 4, 3))
last = out[-1]
halves = out[..., -4:] + out[:, :, -1:]
first_samples = out[:, :-1]
out, hidden = gru(torch.randn(10, 4, 3))
out = out.transpose(0, 1)
last = out[:, -1]
given = {"batch_first": True}
out, hidden = nn.GRU(3, 8, **given)(torch.randn(4, 10, 3))
last = out[:, -1]
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import Recurrent
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

LAYERS = ("torch.nn.RNN", "torch.nn.LSTM", "torch.nn.GRU")


@pitfall.finds(fixes=True)
def last_sample_taken_for_last_step(code: Code) -> Hits:
    for call, maker, out in code.recurrent_outputs(*LAYERS):
        taken = code.last_of_second(out)
        if taken is None or code.argument(maker, "batch_first", position=4) is not None:
            continue
        fix = None
        if maker in code.parent and not (call.args and code.transposed(call.args[0])):
            fix = code.add_argument(maker, "batch_first=True", "Put the batch first")
        layer = code.text_of(call.func)
        says = f"`{code.text_of(taken)}` is the last sample, not the last step"
        yield code.hit(taken, f"{says}: `{layer}` puts time first", fix=fix)


@pitfall.watches("recurrent")
def batch_taken_for_time(seen: Recurrent) -> Hits:
    steps, batch, _ = seen.shape
    if not seen.batch_first and steps == seen.batch != batch:
        says = f"the input is {seen.shape} and the loader gives {steps} samples at a time"
        yield seen.hit(f"{says}: the batch comes first, and the layer takes it for time")
