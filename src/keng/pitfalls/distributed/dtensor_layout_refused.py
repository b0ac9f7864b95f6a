r"""A distributed tensor lies in parts that the operation cannot work on.

A DTensor knows how it lies: `Shard(dim)` is cut along a dimension, `Replicate()` whole on every rank, `Partial()` a sum that is not made yet. An operation works on the parts where it can. It does not take a cut
dimension apart, does not join or split one that is cut unevenly, and in place it cannot change how the tensor lies.

Cure: `x.redistribute(placements=[Replicate()])`, or another `Shard`, before the operation; sizes that the number of ranks divides; the operation that is not in place; `x.to_local()` where each rank's part is enough.

Bad:

```python
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = distribute_tensor(torch.rand(4, 3), init_device_mesh("cpu", (1,)), [Shard(0)])
rows = x.unbind(0)  # seen: `dimension 0`
```

Bad (a dimension that it has not):

```python
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1,))
x = distribute_tensor(torch.rand(4, 3), mesh, [Shard(3)])  # seen: `from 0 to 1`
```

Good:

```python
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = distribute_tensor(torch.rand(4, 3), init_device_mesh("cpu", (1,)), [Shard(0)])
rows = x.redistribute(placements=[Replicate()]).unbind(0)
dist.destroy_process_group()
```

Message (torch 2.13; `relu_`):

```text
RuntimeError: aten.relu_.default: in-place operations that require placement changes are not supported. The input has placement (Partial(sum),), but no valid strategy preserves this placement. Please use the out-of-place version of this operation instead.

Sharding propagation failed for aten.relu_.default(Spec(f32[4, 3](P(sum)))) on DeviceMesh((tp=1), 'cpu', stride=((),)))
```

Message (torch 2.13; `dimension 1`):

```text
RuntimeError: This operation would remove or reshape sharded dimension 1, which requires redistribution. Please redistribute the input first.
```

Message (torch 2.13; `10 entries`):

```text
RuntimeError: Cannot flatten unevenly sharded tensor: dimension 1 (size 10) is not evenly divisible by mesh dimension 0 (size 4). Please redistribute the tensor before this operation.
```

Message (torch 2.13; `redistribute`):

```text
ValueError: Cannot distribute a DTensor with placements (Shard(dim=0),) to a different placements [Replicate()]. do you want to call `redistribute` instead?
```

Message (torch 2.13; `another mesh`):

```text
ValueError: Cannot distribute a DTensor with device mesh DeviceMesh((tp=1), 'cpu', stride=((),)) to a different device mesh DeviceMesh((dp=1, tp=1), 'cpu', stride=((), ())).
```

Message (torch 2.13; `to_local`):

```text
RuntimeError: the local_tensor argument only accepts torch.Tensor but got <class 'torch.distributed.tensor.DTensor'> value.
```

Message (torch 2.13; `not made yet`):

```text
ValueError: Any checkpointing related operations are not supported for DTensor with partial placements!
```

Message (torch 2.13; `Shard(-1)`):

```text
ValueError: loss_parallel() requires exactly one mesh dim to shard tensor dimension 1, but got placements (Shard(dim=0),) with 0 such mesh dim(s).
```

Message (torch 2.13; `targets`):

```text
ValueError: loss_parallel() requires a DTensor (not a plain torch.Tensor) when the derived placements (Shard(dim=0), Replicate()) contain Shard — this happens on a multi-dimensional mesh with a batch-sharded non-TP dim. Wrap the tensor with DTensor.from_local or distribute_tensor to make the sharding explicit.
```

Message (torch 2.13; `a number`):

```text
UserWarning: Found a non-scalar tensor with numel=1 and ndim!=0, we are implicitly creating a replicated DTensor for it. However, please consider changing it to a scalar tensor or explicitly create a DTensor under distributed environment.
```

Message (torch 2.13; `CPU`):

```text
UserWarning: DTensor random operators may not have complete support on cpu device mesh
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Attempted to unbind along the sharded dimension (?P<dim>\d+)",
    r"would remove or reshape sharded dimension (?P<dim>\d+), which requires redistribution",
    odds=0.97,
)
def takes_the_cut_apart(failure: Failure) -> Hits:
    yield failure.hit(
        f"the tensor is cut along dimension {failure.groups['dim']}, which this takes apart: Replicate() or another Shard first, by "
        "x.redistribute(placements=[...])"
    )


@pitfall.explains(
    r"Cannot (?:flatten|unflatten|shard) unevenly (?:sharded|distributed) tensor: (?:output )?dimension (?P<dim>\d+) \(size (?P<size>\w{1,20})\) "
    r"is not evenly divisible by mesh dimension \d+ \(size (?P<parts>\d+)\)",
    odds=0.97,
)
def cut_unevenly(failure: Failure) -> Hits:
    dim, size, parts = (failure.groups[key] for key in ("dim", "size", "parts"))
    yield failure.hit(
        f"dimension {dim} has {size} entries for {parts} ranks, and view or reshape wants parts of one size: redistribute to Replicate() "
        f"first, or a size that {parts} divides"
    )


@pitfall.explains(
    r"aten\.(?P<op>\w+)\.\w+: in-place operations that require placement changes", odds=0.97
)
def in_place(failure: Failure) -> Hits:
    yield failure.hit(
        f"the result of `{failure.groups['op']}` lies otherwise than the tensor it is written into: the operation that is not in place"
    )


@pitfall.explains(r"Sharding dim (?P<dim>\d+) greater than tensor ndim (?P<n>\d+)", odds=0.97)
def no_such_dimension(failure: Failure) -> Hits:
    dim, n = failure.groups["dim"], int(failure.groups["n"])
    yield failure.hit(
        f"`Shard({dim})` cuts a tensor of {n} dimensions, which are counted from 0 to {n - 1}"
    )


CURES = {
    "do you want to call `redistribute` instead": "the tensor is spread already, in another way: x.redistribute(placements=[...])",
    "Cannot distribute a DTensor with device mesh": "the tensor is spread over another mesh already: one mesh for the model, and its parts by name",
    "the local_tensor argument only accepts": "from_local makes a DTensor of each rank's plain part: x.to_local() of one, or the DTensor as it is",
    "not supported for DTensor with partial placements": "a partial tensor is a sum that is not made yet: redistribute to Replicate() or Shard, and save",
    "requires exactly one mesh dim to shard tensor dimension": "loss_parallel wants logits that are cut along the classes: the last layer with output_layouts=Shard(-1), use_local_output=False",
    "loss_parallel() requires a DTensor (not a plain": "the logits are cut along the batch too, and the targets or weights are whole: distribute_tensor(targets, mesh, [Shard(0), Replicate()])",
    "loss_parallel() with reduction='mean' is only": "on a mesh of several dimensions loss_parallel makes no mean: reduction='sum', divided by the number",
    "nll_loss cannot be evenly sharded": "the mean over rows that are cut unevenly would be wrong: reduction='sum', or loss_parallel",
    "as_strided not supported with DTensor": "as_strided knows no parts: view, transpose or an index instead, or x.to_local()",
    "Mixed Partial reduce types are not supported": "sums, maxima or means that are not made yet do not mix: redistribute one of them before",
    "for tensor parallel convolution": "a convolution cut along its width goes without dilation, and with a stride of 1 or one of the kernel's size",
    "Found a non-scalar tensor with numel=1 and ndim!=0": "a plain tensor of one entry meets a DTensor and is taken for a whole one: a number, or torch.tensor(3.0) without a dimension",
    "DTensor random operators may not have complete support": "random numbers on a mesh of this device, as the CPU, are not kept apart by rank as on cards: right for tests, each rank seeded alike",
}
pitfall.answers(CURES, odds=0.96)
