r"""DistributedDataParallel wraps what it cannot: nothing that learns, or what is not on its device.

It is there to average gradients. A module whose parameters are all frozen has none; a loss or a metric is not
to be wrapped at all. `device_ids` is for a module that lies whole on one card; lazy layers have no parameters before
their first forward.

Cure: wrap the model that learns, after it was moved to its card and after some parameters are unfrozen; leave frozen
teachers and losses unwrapped; no `device_ids` for models on the CPU or over several cards.

Bad (all frozen):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
teacher = nn.Linear(4, 2).requires_grad_(False)
teacher = DistributedDataParallel(teacher)  # seen: `frozen`
```

Bad (a card for what lies on the CPU):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = DistributedDataParallel(nn.Linear(4, 2), device_ids=[0])  # seen: `device_ids`
```

Good:

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
teacher = nn.Linear(4, 2).requires_grad_(False)
model = DistributedDataParallel(nn.Linear(4, 2))
```

Message (torch 1.8 to 2.13; `lazy`):

```text
RuntimeError: Modules with uninitialized parameters can't be used with `DistributedDataParallel`. Run a dummy forward pass to correctly initialize the modules
```

Message (torch 1.9 to 2.13; `one card`):

```text
ValueError: device_ids can only be None or contain a single element.
```

Message (torch 1.9 to 2.13; `cpu`):

```text
ValueError: DistributedDataParallel's input module must be on the same type of devices, but input module parameters locate in {'cpu', 'cuda'}.
```

Message (torch 1.1 to 1.6; `type='cpu'`):

```text
AssertionError: DistributedDataParallel with multi-device module only works with CUDA devices, but module parameters locate in {device(type='cuda', index=0), device(type='cpu')}.
```

Message (torch 1.9 to 2.13, of a model on the CPU; `move it there first`):

```text
ValueError: DistributedDataParallel device_ids and output_device arguments only work with single-device/multiple-device GPU modules or CPU modules, but got device_ids [1], output_device 1, and module parameters {device(type='cpu')}.
```

Message (torch 1.9 to 2.13, of a model that device_map has spread; `without device_ids`):

```text
ValueError: DistributedDataParallel device_ids and output_device arguments only work with single-device/multiple-device GPU modules or CPU modules, but got device_ids [0], output_device 0, and module parameters {device(type='cuda', index=0), device(type='cuda', index=1)}.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"DistributedDataParallel is not needed when a module doesn't have any parameter", odds=0.97
)
def nothing_learns(failure: Failure) -> Hits:
    yield failure.hit(
        "all parameters of what is wrapped are frozen, or it has none: a teacher or a loss stays unwrapped, and what is to learn is unfrozen before"
    )


@pitfall.explains(
    r"DistributedDataParallel device_ids and output_device arguments only work with"
    r"(?:.{0,120}?but got device_ids (?P<ids>\[[^\]]{0,40}\]).{0,60}?module parameters (?P<where>\{[^}]{3,200}\}))?",
    odds=0.95,
)
def on_another_device(failure: Failure) -> Hits:
    ids, where = failure.groups["ids"] or "device_ids", failure.groups["where"]
    cure = "move it there first, or give no device_ids"
    if where.count("index=") > 1:
        cure = "a model on several cards is wrapped without device_ids; device_map={'': local_rank} lays it on one"
    there = f"on {where}" if where else "elsewhere"
    yield failure.hit(f"the module lies {there}, and {ids} names one card: {cure}")


@pitfall.explains(r"Modules with uninitialized parameters can't be used with", odds=0.95)
def not_there_yet(failure: Failure) -> Hits:
    yield failure.hit("lazy layers have no parameters yet: one forward before it is wrapped")


@pitfall.explains(r"device_ids can only be None or contain a single element", odds=0.95)
def several_cards_for_one_process(failure: Failure) -> Hits:
    yield failure.hit(
        "one process drives one card: device_ids=[local_rank], and a process for each card"
    )


@pitfall.explains(
    r"(?:input module must be on the same type of devices, but input|with multi-device module only works with CUDA devices, but) module "
    r"parameters locate in (?P<where>\{.{3,200}?\})",
    odds=0.95,
)
def on_two_kinds_of_devices(failure: Failure) -> Hits:
    yield failure.hit(
        f"parts of the module lie on {failure.groups['where']}: all of it to one device before it is wrapped, or what device_map has offloaded back on cards"
    )
