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
