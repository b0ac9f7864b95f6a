r"""The cards of a machine cannot read each other's memory.

NCCL, and kernels that reduce over cards, read the memory of a neighbour over NVLink or PCIe where the driver allows it. Cards
for games since the RTX 3090 and 4000 mostly do not, nor do virtual machines whose bridges stand between. What asks
without looking fails; NCCL itself takes the way over main memory once it is told to.

Cure: `NCCL_P2P_DISABLE=1`, and `NCCL_IB_DISABLE=1` where the machine has no InfiniBand, which `accelerate launch` sets by itself;
in vLLM and alike the custom all-reduce off; `nvidia-smi topo -p2p r` shows which pairs can.

Bad:

```python
import torch

x = torch.ones(4, device="cuda:0")
assert torch.cuda.can_device_access_peer(0, 1)
y = x.to("cuda:1")
```

Good:

```python
import torch

cards = torch.cuda.device_count()
alike = cards > 1 and torch.cuda.can_device_access_peer(0, 1)
```

Message (torch 1.0 to 2.13; `NCCL_P2P_DISABLE=1`):

```text
RuntimeError: CUDA error: peer access is not supported between these two devices
CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.
```

Message (accelerate 0.24 to 1; `NCCL_P2P_DISABLE=1`):

```text
NotImplementedError: Using RTX 4000 series doesn't support faster communication broadband via P2P or IB. Please set `NCCL_P2P_DISABLE="1"` and `NCCL_IB_DISABLE="1" or use `accelerate launch` which will do this automatically.
```

Message (torch 1.0 to 2.13, of more than eight cards; `NCCL_P2P_DISABLE=1`):

```text
RuntimeError: CUDA error: peer mapping resources exhausted
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error", needs="several cards")


@pitfall.explains(
    r"peer access is not supported between these two devices",
    r"doesn't support faster communication broadband via P2P or IB",
    r"peer mapping resources exhausted",
    odds=0.93,
)
def no_way_between(failure: Failure) -> Hits:
    yield failure.hit(
        "these cards do not read each other's memory: NCCL_P2P_DISABLE=1 and NCCL_IB_DISABLE=1 before the start, or custom "
        "all-reduce off"
    )
