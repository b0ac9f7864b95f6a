r"""An option of FullyShardedDataParallel does not go with another, or with the model.

`FullyShardedDataParallel` keeps each wrapped part in one flat tensor, which decides what its options can do: gradients beside gathered parameters want `use_orig_params=True`, changes are written back from all ranks or from
none, and a part that lies on `meta` is built by its own `reset_parameters`. Its old ways, `NO_SHARD` and `state_dict_type`, are to go.

Cure: `use_orig_params=True`; `summon_full_params(model, rank0_only=True, writeback=False, offload_to_cpu=True)` for reading; a `reset_parameters` in each module that has parameters of its own, or `param_init_fn`;
`fully_shard` for a new program.

Bad:

```python
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel

dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 2).cuda()
model = FullyShardedDataParallel(model)
with FullyShardedDataParallel.summon_full_params(model, rank0_only=True):
    print(model.weight.mean())
```

Good:

```python
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = fully_shard(torch.nn.Linear(4, 2))
print(model.weight.full_tensor().mean())
dist.destroy_process_group()
```

Message (torch 1.12 to 2.13; `writeback=False`):

```text
NotImplementedError: writeback=True and rank0_only=True is not supported yet
```

Message (torch 2.0 to 2.13; `use_orig_params=True`):

```text
NotImplementedError: with_grads=True, use_orig_params=False, offload_to_cpu=False is not supported yet
```

Message (torch 1.12 to 2.13; `outside of forward`):

```text
AssertionError: Cannot manually unshard parameters during forward/backward
```

Message (torch 2.0 to 2.13; `[5, 4]`):

```text
RuntimeError: Cannot writeback when the parameter shape changes
Expects torch.Size([4, 4]) but got torch.Size([5, 4])
```

Message (torch 2.0 to 2.13; `reset_parameters`):

```text
UserWarning: Unable to call `reset_parameters()` for module on meta device with error 'Block' object has no attribute 'reset_parameters'. Please ensure that your module oftype <class 'train.Block'> implements a `reset_parameters()` method.
```

Message (torch 2.1 to 2.13; `rank 0 gathers`):

```text
RuntimeError: Forward order differs across ranks: rank 0 is all-gathering 2 parameters while rank 1 is all-gathering 4 parameters
```

Message (torch 2.0 to 2.13; `backward`):

```text
UserWarning: Called FSDP.clip_grad_norm_() on rank 0 with no gradients -- returning the total norm in the default dtype torch.float32
```

Message (torch 2.0 to 2.13; `fully_shard`):

```text
FutureWarning: The `NO_SHARD` sharding strategy is deprecated. If having issues, please use `DistributedDataParallel` instead.
```

Message (torch 2.0 to 2.13; `two devices`):

```text
RuntimeError: FSDP does not support modules with different device types but got params on cuda and cpu
```

Message (torch 2.0 to 2.13; `optimizer`):

```text
UserWarning: Found a optim state, step_count, that FSDP cannot process. FSDP will directly copy everything to the returned state_dict. In most cases, this is a user-defined state that is not associated with any particular parameter. Another possible case is this state is managed by TorchRec. Otherwise, there may  be a mismatched assumption of optim_state of this mode.
```

Message (torch 2.0 to 2.13; `Linear`):

```text
TypeError: `ignored_modules` should be an iterable of `torch.nn.Module`s but got <class 'torch.nn.modules.linear.Linear'>
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(
    r"Cannot writeback when the (?P<what>parameter|gradient) shape changes\s+Expects torch\.Size\((?P<wants>\[[\d, ]*\])\) but got "
    r"torch\.Size\((?P<came>\[[\d, ]*\])\)",
    odds=0.97,
)
def replaced_by_another_shape(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(
        f"a {what} of {wants} was replaced by one of {came} after wrapping: resize the model, as its embeddings, before FSDP"
    )


@pitfall.explains(r"`ignored_modules` should be an iterable of .{0,40}?but got", odds=0.96)
def ignored_is_no_list(failure: Failure) -> Hits:
    yield failure.hit(
        "ignored_modules takes a list of modules: [model.embed], and no name and no single Linear"
    )


@pitfall.explains(
    r"rank (?P<one>\d+) is all-gathering (?P<a>\d+) parameters while rank (?P<other>\d+) is all-gathering (?P<b>\d+) parameters",
    odds=0.97,
)
def ranks_go_other_ways(failure: Failure) -> Hits:
    one, other, a, b = (failure.groups[key] for key in ("one", "other", "a", "b"))
    yield failure.hit(
        f"rank {one} gathers {a} and rank {other} {b}: the ranks run the layers in another order, as by a branch on their data"
    )


CURES = {
    "writeback=True and rank0_only=True is not supported": "what rank 0 alone holds is not written back: writeback=False for reading, or all ranks",
    "use_orig_params=False, offload_to_cpu=": "gradients are gathered beside the parameters only with use_orig_params=True, and not to the CPU",
    "Cannot manually unshard parameters during forward/backward": "summon_full_params stands within a forward or backward pass: call it outside of forward",
    "Cannot manually unshard parameters when already unsharding": "summon_full_params stands within another: one around all",
    "Unable to call `reset_parameters()` for module on meta": "a part on meta has parameters of its own and no reset_parameters, and they stay without values: write one, or param_init_fn=",
    "with no gradients -- returning the total norm": "nothing was clipped, as no parameter has a gradient: after backward, before zero_grad",
    "The `NO_SHARD` sharding strategy is deprecated": "NO_SHARD is to go: DistributedDataParallel, which does the same, or fully_shard",
    "does not support modules with different device types": "parts of the model lie on two devices: move all of it first, or device_id=",
    "that FSDP cannot process. FSDP will directly copy": "the optimizer keeps a value under no parameter, which is copied as it is: right for a counter of one's own",
    "should not include FSDP modules": "what is ignored was wrapped before: give ignored_modules what is not wrapped",
    "Trying to ignore the top-level module": "ignored_modules holds the whole model, so that nothing is sharded: parts of it",
    "does not have an explicit index. FSDP will use the current device": "device_id says no card: torch.cuda.set_device(local_rank) before, or device_id=local_rank",
    "Communication hook is not supported for hybrid strategies": "a hook goes with FULL_SHARD, SHARD_GRAD_OP or NO_SHARD alone",
    "optimizer in backward only supported with use_orig_params": "an optimizer that steps within backward wants use_orig_params=True",
    "offload_to_cpu=True and rank0_only=False may result in": "each rank puts all of the model into the machine's memory: rank0_only=True",
}
pitfall.answers(CURES, odds=0.95)
