r"""Channels of a convolution carry nothing.

Weight decay, an L1 penalty, a dead ReLU behind them: some output channels of a convolution end with
weights near zero. They cost as much time and memory as the others and what they put out is next to
nothing; many of them tell that the layer is too wide, or that training went wrong early on.

Cure: look at the mean absolute weight of each channel beside the largest of its layer, and take the
channels below a thousandth of that out, into a narrower layer, or lower the penalty. `torch.nn.utils.prune.ln_structured`
only sets them to zero, which saves nothing.

Bad:

```python
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 4, 3))
with torch.no_grad():
    model[0].weight[2:5] *= 1e-6  # seen: as an L1 penalty leaves them
file = io.BytesIO()
torch.save(model.state_dict(), file)
```

Proof:

```python
sizes = model[0].weight.detach().abs().mean(dim=(1, 2, 3))
assert (sizes < sizes.max() / 1000).sum() == 3
```

Good:

```python
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 4, 3))
file = io.BytesIO()
torch.save(model.state_dict(), file)
```

Fine (a layer that begins with zeros, as the last of a residual block does; scores of classes):

```python
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.ModuleDict({"last": nn.Conv2d(8, 8, 3), "head": nn.Linear(8, 4)})
nn.init.zeros_(model["last"].weight)
with torch.no_grad():
    model["head"].weight[1] *= 1e-6
file = io.BytesIO()
torch.save(model.state_dict(), file)
```
"""

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.tree import dotted
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="warning")

SMALL = 1e-3
"""Of the largest channel of the layer."""


@pitfall.inspects("stats")
def channels_that_carry_nothing(checkpoint: Checkpoint) -> Hits:
    for path, stats in checkpoint.stats.items():
        largest = max(stats.channels, default=0.0)
        empty = [n for n, size in enumerate(stats.channels) if size < largest * SMALL]
        if empty:
            shown = ", ".join(map(str, empty[:8])) + (" ..." if len(empty) > 8 else "")
            says = f"`{dotted(path)}`: {len(empty)} of {len(stats.channels)} channels carry nothing"
            yield checkpoint.hit(f"{says} ({shown})", channels=len(empty))
