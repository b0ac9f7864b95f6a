r"""A tensor that has no memory of its own is saved.

safetensors, and `save_pretrained` with it, asks each tensor for the address of its memory, to find those that share it. A wrapper has none: a DTensor of FSDP2, of tensor or context parallelism stands for the parts on
all ranks, a weight of torchao or of FP8 training for packed numbers and scales, a tensor of a TPU for what XLA holds.

Cure: gather first: `x.full_tensor()`, `get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))`, `accelerator.get_state_dict(model)`; `.cpu()` from a TPU; quantized weights with
`torch.save`, or a newer version of the library that packed them; `torch.distributed.checkpoint` for parts.

Bad:

```python
import tempfile

import torch
import torch.distributed as dist
from safetensors.torch import save_file
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", init_method="tcp://127.0.0.1:0", rank=0, world_size=1)
weight = distribute_tensor(torch.ones(2), init_device_mesh("cpu", (1,)), [Shard(0)])
try:
    save_file({"weight": weight}, tempfile.mkdtemp() + "/model.safetensors")  # seen: a DTensor
finally:
    dist.destroy_process_group()
```

Good:

```python
import tempfile

import torch
import torch.distributed as dist
from safetensors.torch import save_file
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", init_method="tcp://127.0.0.1:0", rank=0, world_size=1)
weight = distribute_tensor(torch.ones(2), init_device_mesh("cpu", (1,)), [Shard(0)])
save_file({"weight": weight.full_tensor()}, tempfile.mkdtemp() + "/model.safetensors")
dist.destroy_process_group()
```
"""

from keng.model import Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="import safetensors")

pitfall.answers(
    {
        "Attempted to access the data pointer on an invalid python storage": "a tensor to save has no memory of its own: a DTensor (x.full_tensor(), or a full state dict), a TPU's (.cpu()), or a quantized one (torch.save)",
    },
    odds=0.9,
)
