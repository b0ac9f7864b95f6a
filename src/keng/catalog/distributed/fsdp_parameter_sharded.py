r"""A parameter of an FSDP model is used where only its shard is there.

FSDP gathers a wrapped module's parameters for its own forward and backward and lets them go after it. Outside, a weight is a flat piece of it, or of size
zero: a layer called by hand, `F.linear(x, model.head.weight)`, `generate` on the module inside, a norm over weights, or tied weights in two wrapped modules meet that.

Cure: call the outermost model; `with FullyShardedDataParallel.summon_full_params(model):` around what reads weights; wrap modules with
tied weights as one.

Bad:

```python
import torch.nn.functional as F


def logits(model, hidden):
    return F.linear(hidden, model.embedding.weight)
```

Good:

```python
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def norm(model):
    with FSDP.summon_full_params(model):
        return model.embedding.weight.norm()
```

Message (torch 2.0 to 2.13; `summon_full_params`):

```text
RuntimeError: setStorage: sizes [4096, 4096], strides [1, 4096], storage offset 0, and itemsize 2 requiring a storage size of 33554432 are out of bounds for storage of size 0
```
"""

from keng.failures import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"requiring a storage size of \d+ are out of bounds for storage of size 0\b", odds=0.8
)
def storage_let_go(failure: Failure) -> Hits:
    yield failure.hit(
        "the weight is not gathered here: go through the outermost model's forward, or FSDP.summon_full_params(model)"
    )
