r"""An operation is not there for distributed tensors.

A DTensor, as FSDP2, tensor parallelism and `distribute_tensor` make them, knows for each operation how the parts on the ranks
become parts of the result. Operations that are rare, or whose result has a shape that depends on the values, have no
such rule and are refused. Tensors of two meshes do not meet in one operation either.

Cure: a newer PyTorch, which knows more operations; `x.full_tensor()` before it where all of the tensor fits on a rank,
or `x.to_local()` where each rank's part is enough; one mesh for the whole model.

Bad:

```python
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = distribute_tensor(torch.rand(4, 4), init_device_mesh("cpu", (1,)), [Shard(0)])
distances = torch.cdist(x, x)  # seen: `_cdist_forward`
```

Good:

```python
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = distribute_tensor(torch.rand(4, 4), init_device_mesh("cpu", (1,)), [Shard(0)])
whole = x.full_tensor()
distances = torch.cdist(whole, whole)
```

Message (torch 2.13; `nonzero`):

```text
RuntimeError: aten.nonzero.default

Sharding propagation failed for aten.nonzero.default(Spec(f32[4, 4](S(0)))) on DeviceMesh((1,), 'cpu', stride=((),)))
```

Message (torch 2.13; `numbers`):

```text
Traceback (most recent call last):
  File "/usr/lib/python3.11/site-packages/torch/distributed/tensor/_sharding_prop.py", line 205, in _propagate_tensor_meta_non_cached
    fake_out = op_schema.op(*fake_args, **fake_kwargs)
  File "/usr/lib/python3.11/site-packages/torch/_subclasses/fake_impls.py", line 610, in nonzero
    raise DynamicOutputShapeException(func)
torch._subclasses.fake_tensor.DynamicOutputShapeException: aten.nonzero.default

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "train.py", line 12, in <module>
    rows = x[x > 0]
           ~^^^^^^^
RuntimeError: aten.nonzero.default

Sharding propagation failed for aten.index.Tensor(Spec(f32[4, 3](S(0)))) on DeviceMesh((tp=1), 'cpu', stride=((),)))
```

Message (torch 2.13; `clip_grad_norm_`):

```text
RuntimeError: All operands in aten.stack.default must have the same mesh, but got DeviceMesh((dp=1, tp=1), 'cpu', stride=((), ())) and DeviceMesh((tp=1), 'cpu', stride=((),)).

Sharding propagation failed for aten.stack.default([DTensorSpec(mesh=DeviceMesh((tp=1), 'cpu', stride=((),)))])
```

Message (torch 2.5; `the reason stands before`):

```text
RuntimeError: Sharding propagation failed for Op(op=aten.view.default, args_schema=Spec(S(1) on (4, 10)), [40] @ mesh: (4,))
```

Message (torch 2.0 to 2.13; `one mesh`):

```text
NotImplementedError: Cross device mesh comm not supported yet!
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Operator aten\.(?P<op>\w+)[\w.]* does not have a sharding strategy", odds=0.95)
def no_rule_for_its_parts(failure: Failure) -> Hits:
    yield failure.hit(
        f"distributed tensors have no rule for `{failure.groups['op']}`: x.full_tensor() or x.to_local() before it, or a newer PyTorch"
    )


@pitfall.explains(r"aten\.(?P<op>\w+)[\w.]*\s+Sharding propagation failed for", odds=0.97)
def of_a_shape_not_foreseen(failure: Failure) -> Hits:
    yield failure.hit(
        f"the shape of what `{failure.groups['op']}` gives depends on the numbers, and no rule for parts foresees it: x.full_tensor() or "
        "x.to_local() before it"
    )


# What the reason is stands in front of these words, and often has a sentence of its own.
@pitfall.explains(r"Sharding propagation failed for (?:Op\(op=)?aten\.(?P<op>\w+)", odds=0.6)
def refused_as_it_lies(failure: Failure) -> Hits:
    yield failure.hit(
        f"distributed tensors refuse `{failure.groups['op']}` as they lie, and the reason stands before: x.redistribute(...), or "
        "x.full_tensor() before it"
    )


@pitfall.explains(
    r"Cross device mesh comm not supported|DTensor does not support cross-mesh operation|op doesn't support cross mesh concatenation",
    r"All operands in aten\.[\w.]{1,60} must have the same mesh, but got|Cannot run \S{1,80} on inputs with different meshes: got",
    odds=0.97,
)
def of_two_meshes(failure: Failure) -> Hits:
    yield failure.hit(
        "distributed tensors of two meshes meet, as where clip_grad_norm_ or an optimizer takes both kinds at once: one mesh for all of "
        "the model, or each kind by itself"
    )
