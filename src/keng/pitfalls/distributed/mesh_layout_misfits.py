r"""A device mesh, or the plan that spreads a model over it, does not fit.

A mesh has a shape and, where its parts are to be taken, a name for each dimension. What lies on it has one placement for each dimension of the mesh: `Shard(dim)`, `Replicate()`. The
styles of tensor parallelism know `nn.Linear` and `nn.Embedding` and a mesh of one dimension; a plan names modules as `named_modules()` does, and a name that is not there is left out
with a warning.

Cure: `init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))`, then `mesh["tp"]` for `parallelize_module`; a placement for each dimension of the mesh.

Bad (names):

```python
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp",))  # seen: `a name for each`
```

Bad (a part that it has not):

```python
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
part = mesh["pp"]  # seen: `pp`
```

Bad (one placement for two dimensions):

```python
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1, 1))
x = distribute_tensor(torch.ones(2, 2), mesh, [Shard(0)])  # seen: `2 dimensions`
```

Bad (a convolution by columns):

```python
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model, mesh = nn.Sequential(nn.Conv2d(1, 1, 1)), init_device_mesh("cpu", (1,))
parallelize_module(model, mesh, {"0": ColwiseParallel()})  # seen: `nn.Linear`
```

Good:

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
x = distribute_tensor(torch.ones(2, 2), mesh, [Shard(0), Replicate()])
parallelize_module(nn.Sequential(nn.Linear(2, 2)), mesh["tp"], {"0": ColwiseParallel()})
dist.destroy_process_group()
```

Message (torch 2.13; `nn.Parameter`):

```text
RuntimeError: `distribute_tensor` should be used to distribute leaf tensors! but found non-leaf tensor!
```

Message (torch 2.13; `mesh.get_group("tp")`):

```text
RuntimeError: ('Found the DeviceMesh have 2 dimensions', 'Optional kwarg `mesh_dim` needs to be specified when device_mesh.ndim > 1.', 'If you want to get the list of all the ProcessGroups in the DeviceMesh,please use `get_all_groups()` instead.')
```

Message (torch 2.13; `fsdp`):

```text
KeyError: ("Mesh dimension 'fsdp' does not exist.", "Available mesh dimensions are: mesh_dim_names=('dp', 'tp')")
```

Message (torch 2.4 to 2.13; `named_modules()`):

```text
UserWarning: Parallelize plan key 'fc' could not be resolved: no submodule matching token 'fc' in module Sequential(
```

Message (torch 2.13; `each input`):

```text
ValueError: module inputs and input_layouts should have same length!
```

Message (torch 2.13; `twice`):

```text
RuntimeError: distribute_module should only be called once on a module, but it has already been called on this module!
```

Message (torch 2.13; `without a plan`):

```text
UserWarning: No parallelize_plan is provided and auto-parallel is not supported at the moment, so this parallelize_module call will do nothing.
```

Message (torch 2.13; `SequenceParallel`):

```text
ValueError: expecting input of LayerNorm((4,), eps=1e-05, elementwise_affine=True, bias=True) to be a torch.Tensor or DTensor, but got [1, 2]
```

Message (torch 2.13; `f(module, inputs, mesh)`):

```text
ValueError: input_fn should take in 3 arguments, but got 1 arguments!
```

Message (torch 2.4; `mesh['tp']`):

```text
ValueError: Tensor Parallel only accepts a 1D DeviceMesh, but found 2D!If you have a 2-D or N-D device_mesh, consider passing in device_mesh["tp"]
```

Message (torch 2.2 to 2.13, of DistributedDataParallel; `one of the two`):

```text
RuntimeError: Cannot specify both process_group and device_mesh arguments.
```

Message (torch 2.2 to 2.13, of DistributedDataParallel; `mesh['dp']`):

```text
RuntimeError: Only 1D device mesh is supported, but got DeviceMesh((dp=2, tp=2), 'cuda', stride=(2, 1)).
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Invalid mesh_dim_names \(?'?(?P<name>\w+)'?.{0,80} specified\. Valid mesh_dim_names are (?P<there>[\[(].{0,200}?[\])])",
    r"Mesh dimension '(?P<name>\w+)' does not exist.{1,40}Available mesh dimensions are: mesh_dim_names=(?P<there>\(.{0,200}?\))",
    odds=0.96,
)
def no_such_part(failure: Failure) -> Hits:
    yield failure.hit(
        f"the mesh has no part `{failure.groups['name']}`, but {failure.groups['there']}"
    )


@pitfall.explains(
    r"Found placements length: (?P<came>\d+), and device_mesh\.ndim: (?P<wants>\d+)", odds=0.97
)
def placements_for_another_mesh(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(
        f"the mesh has {wants} dimensions, and placements are given for {came}: one for each, Replicate() where it is not split, "
        "or a part of the mesh by name"
    )


CURES = {
    "mesh_shape and mesh_dim_names should have same length": "a mesh has a name for each dimension: as many in mesh_dim_names as in its shape",
    "Found repeated mesh_dim_name in mesh_dim_names": "two dimensions of the mesh have one name: each its own",
    "Device type with index is not supported but got": "a mesh is of a kind of device: 'cuda', without a number",
    "Optional kwarg `mesh_dim` needs to be specified": 'a mesh of several dimensions has a group for each: mesh.get_group("tp")',
    "Parallel currently only support nn.Linear and nn.Embedding": "columns and rows are split of nn.Linear and nn.Embedding alone: other layers stay out of the plan, or "
    "get SequenceParallel or distribute_module",
    "should be used to distribute leaf tensors": "what is spread was computed: spread its inputs, or nn.Parameter(x.detach())",
    "module inputs and input_layouts should have same length": "PrepareModuleInput has a layout for each input of the module, None for what is no tensor",
    "module outputs and output_layouts should have same length": "PrepareModuleOutput has a layout for each output of the module",
    "distribute_module should only be called once on a module": "a module is spread twice: the plan names it, and its parent or an earlier call did too",
    "for parallelize_plan, <class": "a plan is a style or a dict of name and style: {'fc': ColwiseParallel()}",
    "submodule matching token": "the plan names a module that the model has not, and leaves it whole: names as in named_modules()",
    "to Partial is for internal use only": "a tensor is not made partial by redistribute: Shard or Replicate",
    "Cannot specify both process_group and device_mesh": "a mesh has its group already: one of the two, device_mesh= or process_group=",
    "Only 1D device mesh is supported, but got": "here one dimension of the mesh is wanted: mesh['dp']",
    "Tensor Parallel only accepts a 1D DeviceMesh": "tensor parallelism takes one dimension of the mesh: mesh['tp']",
    "No parallelize_plan is provided": "without a plan nothing is spread: parallelize_module(model, mesh, {'fc': ColwiseParallel()})",
    "to be a torch.Tensor or DTensor, but got": "a layer under SequenceParallel takes a tensor first, and something else comes: leave it out of the plan",
    "put_fn should take in 3 arguments": "input_fn and output_fn of distribute_module are f(module, inputs, mesh) and f(module, outputs, mesh)",
    "desired module inputs should not be None": "PrepareModuleInput is told what the module wants: desired_input_layouts=Replicate()",
    "placements is needed for redistribute": "redistribute wants placements=[...], one for each dimension of the mesh",
}
pitfall.answers(CURES, odds=0.95)
