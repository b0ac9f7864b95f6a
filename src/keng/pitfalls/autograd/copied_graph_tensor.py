r"""A tensor that was computed is deep-copied.

`copy.deepcopy` copies leaves, parameters and buffers, but no result of an operation, since that belongs
to a graph. A module meets this that keeps a result as an attribute: a last output, a hidden state, a
weight that `weight_norm` or a hook computes.

Cure: keep results detached, `self.last = out.detach()`; a model is best copied before its first forward,
or by its class and state dict.

Bad:

```python
import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        self.last = self.fc(x)
        return self.last


net = Net()
net(torch.ones(1, 2))
twin = copy.deepcopy(net)  # seen: `net.last` holds the result of an operation
```

Bad (a weight that is computed):

```python
import copy

import torch
from torch import nn
from torch.nn.utils import prune

net = nn.Sequential(nn.Linear(2, 2))
prune.l1_unstructured(net[0], "weight", 0.5)
twin = copy.deepcopy(net)  # seen: `prune.remove()`
```

Bad (a result itself):

```python
import copy

import torch

out = torch.ones(2, requires_grad=True) * 2
kept = copy.deepcopy(out)  # seen: `out.detach().clone()`
```

Good:

```python
import copy

import torch
from torch import nn

net = nn.Linear(2, 2)
last = net(torch.ones(1, 2)).detach()
twin = copy.deepcopy(net)
```
"""

from keng.explain.advice.fits import copied_with_its_graph
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Only Tensors created explicitly by the user.{0,40}support the deepcopy protocol", odds=0.95
)
def a_result_was_kept(failure: Failure) -> Hits:
    yield failure.hit(*copied_with_its_graph(failure))
