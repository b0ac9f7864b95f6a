r"""A layer under `spectral_norm` is used before its norm was ever estimated.

`torch.nn.utils.spectral_norm` divides a weight by its largest singular value, which it estimates a little
better at each forward in training mode, and only there. Before the first of these it divides by what two
random vectors give: the outputs are ten or a thousand times too large, and no error tells. (Its successor,
`torch.nn.utils.parametrizations.spectral_norm`, estimates when it is put on.)

Cure: `torch.nn.utils.parametrizations.spectral_norm`.

Bad:

```python
import torch
from torch import nn
from torch.nn.utils import spectral_norm

torch.manual_seed(0)
net = nn.Sequential(spectral_norm(nn.Linear(64, 64)), nn.ReLU(), nn.Linear(64, 1))
net.eval()
with torch.no_grad():
    y = net(torch.randn(8, 64))  # seen: divided by a random number
```

Good:

```python
import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm

torch.manual_seed(0)
net = nn.Sequential(spectral_norm(nn.Linear(64, 64)), nn.ReLU(), nn.Linear(64, 1))
net.eval()
with torch.no_grad():
    y = net(torch.randn(8, 64))
```
"""

from keng.model import Hits, Pitfall
from keng.run.moments import UntrainedNorm

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.watches("module.untrained")
def divided_by_a_random_number(seen: UntrainedNorm) -> Hits:
    layers = ", ".join(f"`{layer}`" for layer in seen.layers[:3])
    says = f"`{seen.module}` is run in eval mode, and the spectral norm of {layers} was never estimated"
    yield seen.hit(f"{says}: its weights are divided by a random number")
