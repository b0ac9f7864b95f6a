r"""FSDP is asked for what it does not do, or meets a model in another state than it needs.

Sharded parameters are pieces of a flat one, or DTensors, that live where FSDP has put them. They are not copied by `deepcopy`, not moved afterwards, have at least
one dimension, and belong to modules that have a forward of their own; what spans all of them, clipping and `no_sync`, is asked of the outermost one.

Cure: move, copy and initialize before sharding, shard inner layers first and the model last; `model.clip_grad_norm_` on the outermost for `FullyShardedDataParallel`;
`to_empty` and a new initialization for a model on `meta`; state dicts in place of copies.

Bad (a copy):

```python
import copy

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = fully_shard(torch.nn.Linear(2, 2))
mean = copy.deepcopy(model)  # seen: `before sharding`
```

Bad (a list of layers):

```python
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])
fully_shard(layers)  # seen: `for layer in layers`
```

Good:

```python
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
for layer in model:
    fully_shard(layer)
fully_shard(model)
dist.destroy_process_group()
```

Message (torch 2.13; `to_empty`):

```text
RuntimeError: FSDP parameters should be materialized from meta device before training, but the following were still on meta device: ['weight', 'bias']
```

Message (torch 2.0 to 2.13; `one dimension`):

```text
ValueError: FSDP doesn't support scalar parameters. Change scale to a 1D tensor with numel equal to 1.
```

Message (torch 2.0 to 2.13; `after wrapping`):

```text
RuntimeError: An FSDP-managed module unexpectedly has parameters on cpu. Make sure to move the module to cuda:0 before training.
```

Message (torch 2.0 to 2.13; `encoder.0`):

```text
AssertionError: FSDP assumes encoder.0 is in the state_dict but the state_dict only has dict_keys(['encoder.weight']). prefix=encoder., module_name=, param_name=0 rank=0.
```

Message (torch 2.13; `together`):

```text
ValueError: Parameter '1.weight' is shared with a parameter already managed by another FSDP group. For shared/tied parameters, use fully_shard([module_a, module_b]) to place them in the same FSDP group.
```

Message (torch 2.4 to 2.13; `.contiguous()`):

```text
NotImplementedError: FSDP does not support non-contiguous parameters yet: param.shape=torch.Size([3, 2]) param.stride()=(1, 3)
```

Message (torch 2.4 to 2.13; `before the model`):

```text
RuntimeError: FSDP state has already been lazily initialized for 0
FSDP requires running forward through the root module first
```

Message (torch 2.4 to 2.13; `CPU`):

```text
RuntimeError: FSDP parameters should be materialized on CPU when enabling CPU offloading. For example, load a CPU state dict or call module.to_empty(device="cpu").
```

Message (torch 2.0; `device_id=`):

```text
ValueError: The module has CPU parameters when `sync_module_states=True`, which only works when all parameters are on GPU. Please specify the `device_id` argument or move to GPU before passing into FSDP.
```

Message (torch 1.13; `device_id=`):

```text
ValueError: Module has CPU parameters, but sync_module_states=True is specified.This only works for GPU module, please specify `device_id` argument or move module to GPU before init.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")

CURES = {
    "FSDP does not support deepcopy": "a sharded model is not copied: deepcopy before sharding, or a state dict loaded into another",
    "does not support containers that do not implement forward": "a ModuleList has no forward to shard around: for layer in layers, and the model at last",
    "FSDP parameters should be materialized from meta device": "a part is still on meta: to_empty(device=...) after sharding, and initialize or load",
    "An FSDP-managed module unexpectedly has parameters on": "parameters lie elsewhere, moved after wrapping or never: device_id=, and no .to() after wrapping",
    "An FSDP-managed module with parameter CPU offloading enabled has": "with offloading FSDP keeps the parameters on the CPU: no .cuda() after wrapping",
    "both CPU and GPU params, please pass in device_id": "a part of the model was not moved: device_id=torch.cuda.current_device()",
    "FSDP only supports single device modules": "the model lies on several cards, as device_map spreads it: load it on one, FSDP spreads it itself",
    "requires modules to not already have FSDP applied": "a part is wrapped already: the policy or the wrapping by hand, not both",
    "The module has CPU parameters when `sync_module_states=True`": "what is sent to the other ranks lies on the card: device_id=, or move it first",
    "Module has CPU parameters, but sync_module_states=True": "what is sent to the other ranks lies on the card: device_id=, or move it first",
    "has CPU parameters or buffers when `sync_module_states=True`": "what is sent to the other ranks lies on the card: device_id=, or move it first",
    "`no_sync()` on inner FSDP instances is not supported": "no_sync is asked of the outermost model",
    "should only be called on the root FSDP instance": "clipping is asked of the outermost model: model.clip_grad_norm_(...)",
    "requires explicit specification of process group": "hybrid sharding is told its groups: device_mesh= of two dimensions, or process_group=, in each wrap",
    "FSDP does not support gradients of gradients": "second derivatives do not go through FSDP: DistributedDataParallel for this model",
    "fully_shard has already been applied to the following module": "a module is sharded twice: each layer once, the model at last",
}
pitfall.answers(CURES, odds=0.96)


@pitfall.explains(
    r"(?:FSDP|fully_shard) doesn't support scalar parameters\. Change (?P<name>[\w.]+)", odds=0.97
)
def of_no_dimension(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` has no dimension to shard: one dimension of one entry, torch.ones(1)"
    )


@pitfall.explains(
    r"FSDP assumes (?P<name>[\w.]+) is in the state_dict but the state_dict only has", odds=0.93
)
def without_its_key(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the state dict has no `{name}`: it is of another wrapping or was renamed by a hook; take and load it under one state_dict_type"
    )


pitfall.answers(
    {
        "is shared with a parameter already managed by another FSDP": "two layers share a weight and are sharded apart: fully_shard([first, second]), together",
        "FSDP does not support non-contiguous parameters": "a parameter lies transposed in memory: nn.Parameter(weight.contiguous()) before sharding",
        "state has already been lazily initialized for": "a part was run before the model that holds it, and took itself for the outermost: shard all and run the outermost",
        "fully_shard expects a 1D or 2D DeviceMesh": "fully_shard takes one dimension of the mesh, or two for hybrid sharding: mesh['dp']",
        "reshard_after_forward as an int, it should be a factor of": "reshard_after_forward is True, False, or a number of processes that divides the group's",
        "should be materialized on CPU when enabling CPU offloading": "with offloading the parameters are on the CPU before the first step: no .cuda(), and a state dict of the CPU",
        "Cannot pass both process_group and device_mesh": "process_group and device_mesh say the same: one of them",
        "Cannot pass both ignored_modules and ignored_states": "ignored_modules and ignored_states exclude each other: ignored_states takes both kinds",
    },
    odds=0.96,
)
