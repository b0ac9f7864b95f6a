r"""A recurrent state goes on into rows that do not continue.

A recurrent layer may begin with the state that it left at the end of the batch before: that is right where row 3 of a
batch continues row 3 of the one before. A loader that shuffles draws other rows. Each sequence is then read with
the memory of a stranger, another one at each epoch, and at its test it begins with a state that was never trained.

Cure: no state for a batch of new sequences (`out, state = lstm(x)`); or a loader that does not shuffle, over data
laid out so that each row goes on in the same row of the next batch.

Bad:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
windows = torch.sin(torch.arange(300) * 0.3).unfold(0, 11, 1)
data = TensorDataset(windows[:, :10, None], windows[:, 10:])
loader = DataLoader(data, batch_size=16, shuffle=True, drop_last=True)
lstm, out = nn.LSTM(1, 8, batch_first=True), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*lstm.parameters(), *out.parameters()])
state = None
for x, y in loader:
    if state is not None:
        state = tuple(part.detach() for part in state)
    features, state = lstm(x, state)  # seen: of sixteen other windows
    loss = nn.functional.mse_loss(out(features[:, -1]), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Proof:

```python
one, _ = lstm(x)
other, _ = lstm(x, state)
assert not torch.allclose(one[:, 0], other[:, 0])
```

Good:

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
windows = torch.sin(torch.arange(300) * 0.3).unfold(0, 11, 1)
data = TensorDataset(windows[:, :10, None], windows[:, 10:])
loader = DataLoader(data, batch_size=16, shuffle=True, drop_last=True)
lstm, out = nn.LSTM(1, 8, batch_first=True), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*lstm.parameters(), *out.parameters()])
for x, y in loader:
    features, state = lstm(x)
    loss = nn.functional.mse_loss(out(features[:, -1]), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
```

Fine (rows that continue; pieces of one batch; a decoder that goes on where its encoder ended; a state of its own that is learned):

```python
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
gru, decoder = nn.GRU(1, 8, batch_first=True), nn.GRU(1, 8, batch_first=True)
begin = nn.Parameter(torch.randn(1, 1, 8))
optimizer = torch.optim.Adam([*gru.parameters(), *decoder.parameters(), begin])


def learn(out):
    optimizer.zero_grad()
    out.square().mean().backward()
    optimizer.step()


waves = torch.sin(torch.arange(8 * 96) * 0.3).view(8, 8, 12, 1)
state = torch.zeros(1, 8, 8)
for (x,) in DataLoader(TensorDataset(waves.transpose(0, 1).flatten(0, 1)), batch_size=8):
    out, state = gru(x, state.detach())
    learn(out)
for (x,) in DataLoader(TensorDataset(waves.flatten(0, 1)), batch_size=8, shuffle=True):
    state = begin.expand(1, 8, 8)
    for piece in x.split(4, dim=1):
        out, state = gru(piece, state)
        decoded, _ = decoder(piece, state)
        learn(out.mean() + decoded)
        state = state.detach()
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import StateOfOthers

pitfall = Pitfall(__name__, __doc__, severity="warning")


@pitfall.watches("state.of.others")
def read_with_the_memory_of_others(seen: StateOfOthers) -> Hits:
    layer = f"`{seen.layer}`" if seen.layer else "a recurrent layer"
    says = f"{layer} begins each batch with the state that it left after the one before"
    yield seen.hit(
        f"{says}, and the loader shuffles: the rows do not continue", batches=seen.batches
    )
