r"""A layer has no channels left.

A layer of no output channels can be made, with a warning at most; its forward refuses. It comes of a width that was computed and rounded down, `int(0.1 * 8)`, or of
pruning by one threshold for the whole network, which takes some layer away altogether. Pruning leaves a grouped convolution with fewer channels than groups
where `groups` stays what it was.

Cure: `max(1, int(width * channels))`, better a multiple of 8; a share of each layer in place of one threshold for all; `groups` of what is left.

Bad:

```python
import torch
from torch import nn

width = 0.1
layer = nn.Conv2d(3, int(width * 8), 3)
y = layer(torch.ones(1, 3, 8, 8))  # seen: `no output channel`
```

Bad (upwards; `no output channel`):

```python
import torch
from torch import nn

layer = nn.ConvTranspose2d(3, 2 // 4, 3)
y = layer(torch.ones(1, 3, 8, 8))
```

Bad (pruned below its groups; `2 channels for 4 groups`):

```python
import torch
from torch import nn

layer = nn.Conv2d(4, 4, 3, groups=4)
layer.weight = nn.Parameter(layer.weight[:2])
y = layer(torch.ones(1, 4, 8, 8))
```

Good:

```python
import torch
from torch import nn

width = 0.1
layer = nn.Conv2d(3, max(1, int(width * 8)), 3)
y = layer(torch.ones(1, 3, 8, 8))
```

Message (torch 1.0 to 2.13, pruned; `119`):

```text
RuntimeError: Given groups=1, expected weight to be at least 1 at dimension 0, but got weight of size [0, 119, 3, 3] instead
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"expected weight to be at least (?P<groups>\d+) at dimension 0, but got weight of size \[(?P<shape>\d+[\d, ]*)\]",
    r"non-empty \dD or \dD weight tensor expected, but got: \[(?P<shape>[\d, ]+)\]",
    odds=0.95,
)
def nothing_to_put_out(failure: Failure) -> Hits:
    shape, groups = failure.groups["shape"], failure.groups.get("groups", "1")
    says = f"the weight of {failure.layer} is [{shape}]: "
    if "0" in shape.split(", "):
        says += "no output channel is left, all were pruned or a width was rounded down to 0: max(1, ...)"
    else:
        out = shape.partition(",")[0]
        says += f"{out} channels for {groups} groups, as pruning leaves them: fewer groups, which divide it"
    yield failure.hit(says)
