r"""`fully_shard` is given a mesh, a placement or a model that it does not take.

`fully_shard` cuts each parameter along its first dimension, or along the one that `shard_placement_fn` names, which the number of ranks must divide then. It gathers the parameters of a part in one piece, so that those
that learn are of one dtype in it; a call on a list of layers makes one part of them, which is no model that can be run. What it sharded is told by its own methods.

Cure: a mesh with names, `mesh["dp_replicate", "dp_shard"]`; `shard_placement_fn=lambda p: Shard(1) if p.ndim > 1 else None`; one dtype for the model, and `MixedPrecisionPolicy` for computing in another;
`fully_shard` on the model after the layers.

Bad (a dimension that the bias has not):

```python
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 4)
fully_shard(model, shard_placement_fn=lambda p: Shard(1))  # seen: `1 dimension`
```

Bad (two dtypes):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = nn.Sequential(nn.Linear(4, 4).bfloat16(), nn.Linear(4, 4))
fully_shard(model)
model(torch.ones(1, 4))  # seen: `one dtype`
```

Good:

```python
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 4)
fully_shard(model, shard_placement_fn=lambda p: Shard(1) if p.ndim > 1 else None)
out = model(torch.ones(1, 4))
dist.destroy_process_group()
```

Message (torch 2.6 to 2.13; `4 ranks`):

```text
NotImplementedError: FSDP does not support uneven sharding on dim 1: torch.Size([4, 10]) (world size: 4)
```

Message (torch 2.13; `mesh_dim_names`):

```text
AssertionError: Please init the 2D mesh for HSDP with mesh_dim_names specified
```

Message (torch 2.13; `True, False`):

```text
ValueError: reshard_after_forward should be a bool or an int representing the group size to reshard to, not x
```

Message (torch 2.13; `None`):

```text
ValueError: Invalid shard_placement_fn result: R
```

Message (torch 2.13; `the model that holds them`):

```text
RuntimeError: FSDP requires a single root module but got (FSDPSequential(
  (0): Linear(in_features=4, out_features=4, bias=True)
), FSDPSequential(
  (0): Linear(in_features=4, out_features=4, bias=True)
))
```

Message (torch 2.13; `layers that were sharded`):

```text
ValueError: Expects FSDPModule but got <class 'torch.nn.modules.linear.Linear'>: Linear(in_features=2, out_features=2, bias=True)
```

Message (torch 2.13; `one mesh`):

```text
ValueError: Requires DTensor to have mesh of the same type as the FSDP mesh but got cpu for DTensor and cuda for FSDP
```

Message (torch 2.13; `clone()`):

```text
UserWarning: FSDP2-wrapped module (FSDPBlock) returned a view tensor. An in-place op on this view (e.g., `x += y`) will silently drop the pre-backward hook and skip the all-gather, which can cause backward to fail or produce wrong gradients. Use out-of-place ops (`out = out + y`, not `out += y`) or `.clone()` the output before any in-place op.
```

Message (torch 2.13; `replaced`):

```text
AttributeError: 'Parameter' object has no attribute '_local_tensor'
```

Message (torch 2.4 to 2.13; `device_mesh`):

```text
AssertionError: FSDP requires the DP and model parallel TP/EP mesh to be not None but got:
DP's mesh: None
TP/EP's mesh: DeviceMesh((tp=2), 'cuda', stride=(1,))
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Shard dim (?P<dim>-?\d+) is invalid for (?P<n>\d+)D tensor: torch\.Size", odds=0.97
)
def no_such_dimension(failure: Failure) -> Hits:
    dim, n = failure.groups["dim"], failure.groups["n"]
    noun = "dimension" if n == "1" else "dimensions"
    yield failure.hit(
        f"shard_placement_fn answers Shard({dim}) for a parameter of {n} {noun}, as a bias or a norm's weight is: None for those"
    )


@pitfall.explains(
    r"FSDP does not support uneven sharding on dim (?P<dim>\d+): torch\.Size\((?P<shape>\[[\d, ]+\])\) \(world size: (?P<ranks>\d+)\)",
    odds=0.97,
)
def cut_unevenly(failure: Failure) -> Hits:
    dim, shape, ranks = (failure.groups[key] for key in ("dim", "shape", "ranks"))
    yield failure.hit(
        f"a parameter of {shape} is cut along dimension {dim}, which {ranks} ranks do not divide: only the first dimension may be cut unevenly"
    )


@pitfall.explains(
    r"FSDP expects uniform (?P<which>original parameter|reduce) dtype but got", odds=0.97
)
def of_several_dtypes(failure: Failure) -> Hits:
    yield failure.hit(
        "what learns in one part is gathered in one piece and of several dtypes: one dtype for the model before fully_shard, or a call "
        "for each kind of layer"
    )


CURES = {
    "Please init the 2D mesh for HSDP with mesh_dim_names": "hybrid sharding wants to know which dimension copies and which cuts: init_device_mesh(..., mesh_dim_names=('replicate', 'shard'))",
    "reshard_after_forward should be a bool": "reshard_after_forward is True, False, or at fully_shard a number of processes",
    "Invalid shard_placement_fn result": "shard_placement_fn answers Shard(dim), or None for the first dimension: what stays whole is left out with ignored_params",
    "requires a single root module but got": "layers sharded as a list are one part and no model: fully_shard on the model that holds them, and run that",
    "Expects FSDPModule but got": "prefetching names layers that were sharded: fully_shard on each of them first",
    "Expects list of FSDPModules but got": "prefetching takes a list of layers that were sharded: [model.layers[1]]",
    "Requires DTensor to have mesh of the same type as the FSDP mesh": "tensor parallelism and sharding lie on two kinds of device: parts of one mesh, mesh['tp'] and mesh['dp']",
    "FSDP requires the DP and model parallel TP/EP mesh to be not None": "parameters are spread by tensor parallelism, and one of the two has no mesh: both of one device_mesh, mesh['tp'] and mesh['dp']",
    "FSDP only supports 1D TP/EP or 2D EP+TP": "before fully_shard a parameter is spread over one dimension of the mesh, or over two for experts",
    "returned a view tensor. An in-place op on this view": "what this layer returns is a view of another tensor, and x += y on it would cost the gradients: x = x + y, or clone() at the end of its forward",
    "'Parameter' object has no attribute '_local_tensor'": "a sharded parameter was replaced by a plain one, as load_state_dict(assign=True) of a whole state dict does: set_model_state_dict(..., options=StateDictOptions(full_state_dict=True))",
    "when all gather comm is custom": "symmetric memory and a collective of one's own exclude each other: one of them",
}
pitfall.answers(CURES, odds=0.96)
