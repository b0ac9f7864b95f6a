r"""Functional dropout stays on in evaluation.

`F.dropout(x, p)` has `training=True` as its default and knows nothing of the module that calls it:
`model.eval()` does not reach it. Predictions then change from call to call and are worse than they
need be. (`nn.Dropout` is a module and follows `train()` and `eval()`.) The `dropout_p` of
`F.scaled_dot_product_attention` is no wiser. `F.alpha_dropout` has `training=False` instead: unless told, it never drops.

Cure: pass `training=self.training`, or use `nn.Dropout`; `dropout_p=p if self.training else 0.0`.

Bad:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return F.dropout(self.fc(x), 0.5)  # here: on in eval mode too


net = Net().eval()
with torch.no_grad():
    y = net(torch.ones(4, 8))
```

Proof:

```python
assert (y == 0).any()
```

Bad (in attention):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def forward(self, x):
        return F.scaled_dot_product_attention(x, x, x, None, 0.9)  # seen: attention


net = Attention().eval()
with torch.no_grad():
    y, z = net(torch.ones(4, 8, 8)), net(torch.ones(4, 8, 8))
```

Proof:

```python
assert not torch.equal(y, z)
```

Good:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return F.dropout(self.fc(x), 0.5, training=self.training)


net = Net().eval()
with torch.no_grad():
    y = net(torch.ones(4, 8))
```

Fine (guarded by hand, Monte Carlo dropout that says so, off by default, and noise for a denoising autoencoder):

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if self.training:
            x = F.dropout(x, 0.5)
        return F.alpha_dropout(F.dropout(x, 0.1, training=True), 0.1)


def corrupted(x):
    return F.dropout(x, 0.3)


autoencoder = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 8))
x = torch.randn(16, 8)
loss = F.mse_loss(autoencoder(corrupted(x)), x)
y = Net()(x)
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import FunctionalDropout
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")

DROPOUTS = tuple(
    f"torch.nn.functional.{name}" for name in ("dropout", "dropout1d", "dropout2d", "dropout3d")
)


@pitfall.finds(fixes=True)
def training_left_at_its_default(code: Code) -> Hits:
    for call in code.calls_to(*DROPOUTS):
        module = code.module_around(call)
        if module is None or code.argument(call, "training", position=2) is not None:
            continue
        if code.under_training_test(call):
            continue
        follows = f"training={module.self_name}.training"
        fix = code.add_argument(call, follows, "Follow the module's mode")
        yield code.hit(call, "dropout here stays on after `eval()`", fix=fix)


@pitfall.watches("functional.dropout")
def dropping_in_an_eval_module(call: FunctionalDropout) -> Hits:
    if call.module_training is False:
        yield call.hit(
            f"{call.function} with p={call.p:g} is on although `{call.module}` is in eval mode"
        )
