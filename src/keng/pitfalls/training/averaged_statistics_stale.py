r"""Averaged weights are evaluated with the batch statistics of the last ones.

Stochastic weight averaging takes the mean of weights that lie far apart. What a batch normalization has counted while they
were trained is true of each of them and not of their mean, and `AveragedModel` copies what the last one has. It has to be
run over the training data once, in training mode, before it is evaluated; without that its accuracy may fall to chance,
and nothing is said. (An exponential average is near the last weights; there these statistics are commonly kept.)

Cure: `torch.optim.swa_utils.update_bn(loader, averaged)` after the last `update_parameters`.

Bad:

```python
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
averaged = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(64, 4)
for epoch in range(4):
    for part in x.split(16):
        optimizer.zero_grad()
        model(part).square().mean().backward()
        optimizer.step()
    averaged.update_parameters(model)
averaged.eval()
with torch.no_grad():
    out = averaged(x)  # seen: the running statistics are the last weights' own
```

Proof:

```python
torch.optim.swa_utils.update_bn([x], averaged)
with torch.no_grad():
    assert not torch.allclose(out, averaged.eval()(x))
```

Good:

```python
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, update_bn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
averaged = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(64, 4)
for epoch in range(4):
    for part in x.split(16):
        optimizer.zero_grad()
        model(part).square().mean().backward()
        optimizer.step()
    averaged.update_parameters(model)
update_bn([x], averaged)
averaged.eval()
with torch.no_grad():
    out = averaged(x)
```

Fine (an exponential average; buffers averaged too; frozen statistics; run by hand; no batch norm; the first update alone):

```python
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn, get_swa_multi_avg_fn


def fit(model, averages, epochs=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        optimizer.zero_grad()
        model(torch.randn(16, 4)).square().mean().backward()
        optimizer.step()
        for average in averages:
            average.update_parameters(model)
    with torch.no_grad():
        for average in averages:
            average.eval()(torch.randn(4, 4))


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
fit(net, [AveragedModel(net)], epochs=1)
fit(
    net,
    [
        AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.9)),
        AveragedModel(net, use_buffers=True),
    ],
)
plain = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
fit(plain, [AveragedModel(plain)])
hand = AveragedModel(net, multi_avg_fn=get_swa_multi_avg_fn())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    optimizer.zero_grad()
    net(torch.randn(16, 4)).square().mean().backward()
    optimizer.step()
    hand.update_parameters(net)
hand.train()
with torch.no_grad():
    for _ in range(4):
        hand(torch.randn(16, 4))
    hand.eval()(torch.randn(4, 4))
net[1].requires_grad_(False).eval()
fit(net, [AveragedModel(net)])
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import EvaluatedAverage

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("average.evaluated")
def statistics_of_the_last_weights(seen: EvaluatedAverage) -> Hits:
    says = f"`{seen.module}` averages the weights of {seen.updates} moments, and the running statistics"
    yield seen.hit(f"{says} of its batch norm are those of the last", updates=seen.updates)
