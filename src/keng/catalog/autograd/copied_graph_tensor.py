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
twin = copy.deepcopy(net)  # seen: `last` is a result
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

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Only Tensors created explicitly by the user.{0,40}support the deepcopy protocol", odds=0.95
)
def a_result_was_kept(failure: Failure) -> Hits:
    yield failure.hit(
        "what is copied holds the result of an operation, as an attribute such as `last`: keep it detached"
    )
