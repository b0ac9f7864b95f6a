r"""A model that is wrapped does not lie on the first card of its list.

`DataParallel` copies the model from the first of `device_ids` to the others, and older versions of DistributedDataParallel send its
parameters in the same way: all of it must lie there. A model that was left on the CPU, that `.cuda()` put on card 0 while
the list begins with another, or of which a layer was moved by hand is refused.

Cure: `model.to(f"cuda:{device_ids[0]}")` before it is wrapped; with a process for each card
`torch.cuda.set_device(local_rank)` first of all, and `device_ids=[local_rank]`.

Bad:

```python
import torch
from torch import nn

model = nn.DataParallel(nn.Linear(4, 2).to("cuda:1"), device_ids=[0, 1])
out = model(torch.ones(8, 4, device="cuda:0"))
```

Good:

```python
import torch
from torch import nn

device = "cuda:0" if torch.cuda.is_available() else "cpu"
model = nn.DataParallel(nn.Linear(4, 2).to(device))
out = model(torch.ones(8, 4, device=device))
```

Message (torch 1.4 to 2.13; `that begin with 1`):

```text
RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cuda:1
```

Message (torch 1.4 to 2.13; `model.module`):

```text
RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cpu
```

Message (torch 1.0 to 2.13; `set_device`):

```text
RuntimeError: all tensors must be on devices[0]: 0
```

Message (torch 1.4 to 2.13, of the Trainer of Transformers; `device_map`):

```text
Traceback (most recent call last):
  File "train.py", line 40, in <module>
    trainer.train()
  File "/env/lib/python3.10/site-packages/transformers/trainer.py", line 2760, in compute_loss
    outputs = model(**inputs)
  File "/env/lib/python3.10/site-packages/torch/nn/parallel/data_parallel.py", line 167, in forward
    raise RuntimeError("module must have its parameters and buffers "
RuntimeError: module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of them on device: cuda:1
```
"""

from keng.explain.advice.processes import off_the_first
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several cards")


@pitfall.explains(
    r"module must have its parameters and buffers on device (?P<first>\S+) \(device_ids\[0\]\) but found one of them on "
    r"device: (?P<there>[\w:]+)",
    odds=0.97,
)
def lies_elsewhere(failure: Failure) -> Hits:
    first, there = failure.groups["first"], failure.groups["there"]
    yield failure.hit(off_the_first(failure, first, there))


@pitfall.explains(r"all tensors must be on devices\[0\]", odds=0.93)
def parts_elsewhere(failure: Failure) -> Hits:
    yield failure.hit(
        "the model lies on another card than the first of device_ids: move it there; in a process for each card "
        "torch.cuda.set_device(local_rank) first"
    )
