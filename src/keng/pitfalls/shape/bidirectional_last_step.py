r"""The last step of a bidirectional layer holds a backward half that has only begun.

A bidirectional recurrent layer goes through a sequence from both ends, and its output at a step holds both halves for that step.
At the last step the forward half has read all, the backward half that one step. `out[:, -1]` therefore has half of its features
from one step, and the network learns without them, without a word.

Cure: the last states of both directions, `torch.cat((h_n[-2], h_n[-1]), dim=-1)`, or a mean or maximum over all steps.

Source: PyTorch 2.13, the notes of nn.LSTM on `bidirectional`: `h_n` is not the last element of `output`.

Bad:

```python
import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 8, batch_first=True, bidirectional=True)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1, :])  # here: half of it has read one step


torch.manual_seed(0)
net, x = Reader(), torch.randn(1, 10, 3)
```

Proof:

```python
net(x).sum().backward()
assert net.rnn.weight_hh_l0.grad.any() and not net.rnn.weight_hh_l0_reverse.grad.any()
```

Bad (time first; through dropout; taken at once):

```python
import torch
from torch import nn

torch.manual_seed(0)
first, second = nn.GRU(3, 8, bidirectional=True), nn.GRU(3, 8, 2, True, True, 0.0, True)
drop, x = nn.Dropout(0.5).eval(), torch.randn(10, 4, 3)
out, state = first(x)
out = drop(out)
last = out[-1]  # here: the backward half has read one step
summary = second(x.transpose(0, 1))[0][:, -1]  # here: as well
steps, hidden = first(x)
print(steps.shape)
final = steps[-1]  # here: as well
```

Proof:

```python
assert torch.equal(last[:, 8:], first(x[-1:])[0][0, :, 8:])
assert not torch.allclose(last[:, 8:], state[1])
```

Good:

```python
import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 8, batch_first=True, bidirectional=True)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        out, (h_n, _) = self.rnn(x)
        return self.head(torch.cat((h_n[-2], h_n[-1]), dim=-1))


net, x = Reader(), torch.randn(1, 10, 3)
```

Fine (one direction; halves from both ends; the forward half alone; beside a mean over all; a query for all steps; beside the states):

```python
import torch
from torch import nn

single = nn.GRU(3, 8, batch_first=True)
double = nn.GRU(3, 8, batch_first=True, bidirectional=True)
x = torch.randn(4, 10, 3)
out, _ = single(x)
last = out[:, -1]
out, _ = double(x)
ends = torch.cat((out[:, -1, :8], out[:, 0, 8:]), dim=1)
out, _ = double(x)
ends = out[:, -1] + out[:, 0]
out, _ = double(x)
last = out[:, -1]
forward_half = last[:, :8]
out, _ = double(x)
forward_half, _ = out[:, -1].chunk(2, dim=-1)
out, _ = double(x)
features = torch.cat((out[:, -1], out.mean(1)), dim=1)
out, _ = double(x)
weights = (out @ out[:, -1].unsqueeze(2)).softmax(1)
out, h_n = double(x)
features = torch.cat((out[:, -1], h_n[-1]), dim=1)
last_sample = double(x)[0][-1]
swapped = nn.GRU(3, 8, batch_first=x.dim() == 3, bidirectional=True)
last_sample = swapped(x)[0][-1]
```
"""

from keng.model import Fix, Hits, Pitfall
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.finds(fixes=True)
def half_has_read_one_step(code: Code) -> Hits:
    for taken, call in code.backward_halves_begun():
        layer, edits = code.text_of(call.func), code.ends_of_both(taken, call)
        says = f"the backward half of `{layer}` has read one step at `{code.text_of(taken)}`: it begins there"
        yield code.hit(taken, says, Fix("Take both last states", edits) if edits else None)
