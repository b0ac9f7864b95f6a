r"""A parameter of a DistributedDataParallel model is ready twice in one backward.

`DistributedDataParallel` sends a gradient off as soon as it is there, and counts on one a backward.
Reentrant activation checkpointing runs a backward of its own for each part, so that a layer used in two
parts is counted twice where unused parameters are looked for; so is one that the last of two forwards before one backward leaves
out.

Cure: `checkpoint(..., use_reentrant=False)`; `static_graph=True` where the same layers are used in each
step; no `find_unused_parameters=True` where all are used; one forward of the wrapper for each backward.

Bad:

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        x = checkpoint(self.fc, x, use_reentrant=True)
        return checkpoint(self.fc, x, use_reentrant=True)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.parallel.DistributedDataParallel(Net(), find_unused_parameters=True)
loss = net(torch.ones(1, 4, requires_grad=True)).sum()
loss.backward()  # seen: `fc` is used in two reentrant checkpoints
```

Good:

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        x = checkpoint(self.fc, x, use_reentrant=False)
        return checkpoint(self.fc, x, use_reentrant=False)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.parallel.DistributedDataParallel(Net(), find_unused_parameters=True)
loss = net(torch.ones(1, 4, requires_grad=True)).sum()
loss.backward()
```

Message (DeepSpeed, ZeRO-1 and 2; `use_reentrant`):

```text
AssertionError: The parameter 447 has already been reduced.             Gradient computed twice for this partition.             Multiple gradient reduction is currently not supported
```

Message (torch 1.9 to 2.13, of the Trainer of Transformers; `gradient_checkpointing_kwargs`):

```text
Traceback (most recent call last):
  File "train.py", line 40, in <module>
    trainer.train()
  File "/env/lib/python3.10/site-packages/transformers/trainer.py", line 2770, in training_step
    self.accelerator.backward(loss)
  File "/env/lib/python3.10/site-packages/torch/utils/checkpoint.py", line 157, in backward
    torch.autograd.backward(outputs_with_grad, args_with_grad)
RuntimeError: Expected to mark a variable ready only once. This error is caused by one of the following reasons: 1) Use of a module parameter outside the `forward` function. 2) Reused parameters in multiple reentrant backward passes. Parameter at index 447 has been marked as ready twice.
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

NAMED = re.compile(
    r"Parameter at index (\d+)(?: with name ([\w.]+))? has been marked as ready twice"
)


@pitfall.explains(r"Expected to mark a variable ready only once", odds=0.95)
def counted_twice(failure: Failure) -> Hits:
    found = NAMED.search(failure.message)
    which = "a parameter"
    if found is not None:
        which = f"`{found[2]}`" if found[2] else f"parameter {found[1]}"
    says = f"{which} got two gradients in one backward"
    shown = " ".join(f"{frame.path} {frame.text}" for frame in failure.frames)
    again = "checkpoint(..., use_reentrant=False)"
    if "transformers" in shown:
        again = "gradient_checkpointing_kwargs={'use_reentrant': False}"
    cure = f"{again}, static_graph=True, or no find_unused_parameters"
    if "checkpoint" not in shown:
        cure += "; without checkpointing, one forward for each backward"
    yield failure.hit(f"{says}: {cure}")


pitfall.answers(
    {
        "Gradient computed twice for this partition": "a parameter got two gradients in one backward, as one model is run twice under checkpointing: gradient_checkpointing_kwargs={'use_reentrant': False}, no checkpointing, or no ZeRO-2",
    },
    odds=0.95,
)
