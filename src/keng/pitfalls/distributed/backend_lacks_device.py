r"""A collective gets a tensor on a device that its backend does not serve.

NCCL carries tensors of GPUs only, Gloo those of the CPU. A metric, a list of lengths or a random state that is
reduced lies on the CPU most often, while the group was made with NCCL. NCCL wants tensors in one piece as well. `SyncBatchNorm`
averages over the ranks and computes on cards alone; older versions refuse the CPU in evaluation too.

Cure: move it, `x.to(local_rank)`, and `.contiguous()`; or make the group for both,
`init_process_group("cpu:gloo,cuda:nccl")`, which is what no backend at all gives since PyTorch 2.0; `BatchNorm2d` in place
of `SyncBatchNorm` for a run on the CPU.

Bad:

```python
import torch
import torch.distributed as dist

dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
dist.all_reduce(torch.ones(1))
```

Good:

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.all_reduce(torch.ones(1))
```

Message (torch 2.0 to 2.13; `x.to(local_rank)`):

```text
RuntimeError: No backend type associated with device type cpu
```

Message (torch 1.0 to 2.0; `sparse`):

```text
RuntimeError: Tensors must be CUDA and dense
```

Message (torch 1.0 to 2.13; `contiguous`):

```text
ValueError: Tensors must be contiguous
```

Message (torch 1.0 to 2.13, gloo; `int16`):

```text
RuntimeError: Invalid scalar type
```

Message (torch 2.13; `wrapped`):

```text
ValueError: SyncBatchNorm layers only work with GPU modules
```

Message (an older torch, a prediction on the CPU; `BatchNorm`):

```text
ValueError: SyncBatchNorm expected input tensor to be on GPU
```

Message (torch 2.13, in training; `BatchNorm`):

```text
ValueError: SyncBatchNorm expected input tensor to be on GPU or XPU or privateuseone
```

Message (torch 1.0 to 2.13; `gloo`):

```text
RuntimeError: Distributed package doesn't have MPI built in. MPI is only included if you build PyTorch from source on a host that has MPI installed.
```

Message (torch 2.1 to 2.13; `Short`):

```text
TypeError: Input tensor data type is not supported for NCCL process group: Short
```

Message (torch 1.1 to 1.5; `Bool`):

```text
RuntimeError: Unconvertible NCCL type Bool
```

Message (an older torch; `gather`):

```text
RuntimeError: ProcessGroupNCCL does not support gather
```

Message (torch 1.10 to 2.2; `_allgather_base`):

```text
RuntimeError: no support for _allgather_base in Gloo process group
```

Message (torch 1.4 to 2.13; `cuda`):

```text
RuntimeError: ProcessGroupGloo::allgather: unsupported device type cuda
```

Message (torch 2.0 to 2.13; `torch.cuda.is_available()`):

```text
RuntimeError: FSDP does not support CPU only execution
```

Message (torch 2.13; `torch.cuda.is_available()`):

```text
RuntimeError: FSDP needs a non-CPU accelerator device, but no accelerator device is detected.
```

Message (torch 2.3 to 2.13; `device_id`):

```text
torch.distributed.DistBackendError: Attempt to perform collective on tensor not on device passed to init_process_group
```

Message (torch 1.2 to 1.5):

```text
AssertionError: SyncBatchNorm layers only work with CUDA modules
```

Message (torch 1.2 to 1.7; `wrap the model`):

```text
AttributeError: SyncBatchNorm is only supported within torch.nn.parallel.DistributedDataParallel
```

Message (torch 1.2 to 1.7; `local_rank`):

```text
ValueError: SyncBatchNorm is only supported for DDP with single GPU per process
```

Message (torch 2.0 to 2.13, a group with gloo for the CPU alone; `cuda:nccl`):

```text
RuntimeError: No backend type associated with device type cuda
```

Message (torch 2.0 to 2.13; `x.cpu()`):

```text
RuntimeError: No backend type associated with device type mps
```

Message (torch 2.7 to 2.9 under Windows; `built without`):

```text
RuntimeError: makeDeviceForHostname(): unsupported gloo device
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="cuda")


@pitfall.explains(r"No backend type associated with device type (?P<device>\w+)", odds=0.95)
def not_served(failure: Failure) -> Hits:
    device = failure.groups["device"]
    cure = ': x.to(local_rank) before the call, or the group with "cpu:gloo,cuda:nccl"'
    if device != "cpu":
        cure = ': the group with "cpu:gloo,cuda:nccl", or x.cpu() before the call'
    if device not in ("cpu", "cuda"):
        cure = ": x.cpu() before the call and back, with gloo in the group"
    yield failure.hit(f"the tensor is on {device}, which no backend of the group serves{cure}")


@pitfall.explains(r"^Tensors must be contiguous$|Error: Tensors must be contiguous", odds=0.85)
def in_pieces(failure: Failure) -> Hits:
    yield failure.hit("a collective wants a tensor in one piece: x.contiguous()")


@pitfall.explains(r"(?:^|Error: )Invalid scalar type", odds=0.8)
def dtype_not_carried(failure: Failure) -> Hits:
    yield failure.hit(
        "gloo does not carry this dtype, no int16 or float8, and in older versions no bfloat16 or bool: x.int() or x.float() first, or NCCL"
    )


@pitfall.explains(
    r"SyncBatchNorm (?:layers only work with (?:GPU|CUDA) modules|(?P<run>expected input tensor to be on (?:a )?GPU))",
    odds=0.95,
)
def normalized_over_ranks(failure: Failure) -> Hits:
    cure = "move the model before it is wrapped"
    if failure.groups["run"]:
        cure = "BatchNorm in its place for a run on the CPU (SyncBN in a config: BN), or the model and its input on a card"
    yield failure.hit(f"batch norm over the ranks computes on GPUs only: {cure}")


@pitfall.explains(r"Distributed package doesn't have (?P<name>MPI|UCC|XCCL) built in", odds=0.95)
def backend_not_built(failure: Failure) -> Hits:
    yield failure.hit(
        f"this PyTorch was built without {failure.groups['name']}: nccl for cards, gloo for the CPU"
    )


@pitfall.explains(
    r"Input tensor data type is not supported for NCCL process group: (?P<dtype>\w+)",
    r"Unconvertible NCCL type ?(?P<dtype>\w*)",
    odds=0.96,
)
def dtype_unknown_to_nccl(failure: Failure) -> Hits:
    yield failure.hit(
        f"NCCL carries no {failure.groups['dtype'] or 'such dtype'}: send it as another dtype; a buffer of a wrapped model is sent when "
        "it is wrapped: register it in another dtype"
    )


@pitfall.explains(
    r"(?:Backend |ProcessGroup)(?P<backend>\w+) does not support (?P<op>\w+)",
    r"no support for (?P<op>\w+) in (?P<backend>\w+) process group",
    odds=0.93,
)
def collective_not_there(failure: Failure) -> Hits:
    backend, op = failure.groups["backend"], failure.groups["op"]
    yield failure.hit(f"{backend} has no {op}: another backend or collective, or a newer PyTorch")


@pitfall.explains(r"ProcessGroupGloo::\w+: unsupported device type (?P<device>\w+)", odds=0.95)
def not_by_gloo(failure: Failure) -> Hits:
    says = f"gloo does not carry tensors of {failure.groups['device']} in this call"
    yield failure.hit(f"{says}: .cpu() first, or nccl")


pitfall.answers(
    {
        "Tensors must be CUDA and dense": "NCCL carries dense tensors of GPUs: x.cuda() first, an Embedding without sparse=True, or a group with gloo",
        "SyncBatchNorm is only supported within torch.nn.parallel": "SyncBatchNorm of torch 1.2 to 1.7 works inside DistributedDataParallel: wrap the model, or BatchNorm2d for one process",
        "SyncBatchNorm is only supported for DDP with single GPU": "SyncBatchNorm of torch 1.2 to 1.7 wants one card a process: device_ids=[local_rank]",
        "FSDP does not support CPU only execution": "FullyShardedDataParallel wants a card, and there is none here: see torch.cuda.is_available(); fully_shard works on the CPU",
        "FSDP needs a non-CPU accelerator device": "FullyShardedDataParallel wants a card, and there is none here: see torch.cuda.is_available(); fully_shard works on the CPU",
        "unsupported gloo device": "the gloo of PyTorch 2.7 to 2.9 is built without what carries it under Windows: torch 2.6, or one newer than these; on one card without a process group",
        "Default backend not registered for device": "the process group has no backend for this device: init_process_group('cpu:gloo,cuda:nccl')",
        "tensor not on device passed to init_process_group": "the group was bound to one card by device_id, and the tensor lies on another: torch.cuda.set_device(local_rank), and `cuda` for the tensor",
    },
    odds=0.95,
)
