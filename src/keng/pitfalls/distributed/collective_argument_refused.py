r"""A collective, or `init_process_group`, is given an argument that it does not take.

A collective works on tensors: one in place, or a list with a place for every rank. A number, a list where one tensor is wanted, or an object goes another way,
`all_gather_object`. Times are `timedelta`s, backends have a name that the build knows, and a device is bound by its index.

Cure: `torch.tensor(number, device=...)` before it; `[torch.empty_like(x) for _ in range(dist.get_world_size())]` for what is gathered;
`timeout=datetime.timedelta(seconds=30)`; `device_id=torch.device("cuda", local_rank)`.

Bad (a time that is a number):

```python
import torch.distributed as dist

store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1, timeout=30)  # seen: `timedelta`
```

Bad (a number):

```python
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.all_reduce(3.0)  # seen: `float`
```

Bad (a tensor for a list):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = torch.ones(2)
dist.all_gather(x, x)  # seen: `a list of tensors`
```

Bad (a device without an index):

```python
import torch
import torch.distributed as dist

store = dist.HashStore()
options = {"store": store, "rank": 0, "world_size": 1, "device_id": torch.device("cpu")}
dist.init_process_group("gloo", **options)  # seen: `local_rank`
```

Good:

```python
import datetime

import torch
import torch.distributed as dist

soon = datetime.timedelta(seconds=30)
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1, timeout=soon)
x = torch.tensor(3.0)
dist.all_reduce(x)
parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
dist.all_gather(parts, x)
dist.destroy_process_group()
```

Message (torch 2.13; `int`):

```text
TypeError: Invalid function argument. Expected parameter `tensor_list` of type List[torch.Tensor]
             but got <class 'list'> with elements of type [<class 'int'>].
```

Message (torch 1.0 to 1.2; `tensor`):

```text
RuntimeError: Invalid function argument. Expecting parameter: tensor to be a torch.Tensor type
```

Message (torch 1.3 to 2.2; `a list of tensors`):

```text
RuntimeError: Invalid function argument. Expected parameter `tensor_list` to be of type List[torch.Tensor].
```

Message (torch 2.13; `one rank`):

```text
ValueError: Argument ``scatter_list`` must NOT be specified on non-source ranks.
```

Message (torch 2.13; `dist.isend`):

```text
ValueError: Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``.
```

Message (torch 1.10 to 2.13; `not in the group`):

```text
UserWarning: Running broadcast on global rank 3 which does not belong to the given group.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Expected parameter `(?P<name>\w+)` of type (?P<wants>List\[torch\.Tensor\]|torch\.Tensor)\s+but got <class '(?:list'> with elements "
    r"of type \[<class ')?(?P<came>[\w.]+)'>",
    odds=0.97,
)
def no_tensor(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    kind = "a list of tensors" if wants.startswith("List") else "a tensor"
    yield failure.hit(
        f"`{name}` is {kind}, and {came} comes: torch.tensor(...), a place for each rank, or the *_object form"
    )


@pitfall.explains(
    r"Expected parameter `(?P<name>\w+)` to be of type (?P<wants>List\[torch\.Tensor\]|torch\.Tensor)",
    r"Expecting parameter: (?P<name>\w+) to be a (?P<wants>List\[torch\.Tensor\]|torch\.Tensor) type",
    odds=0.95,
)
def something_else(failure: Failure) -> Hits:
    name, wants = failure.groups["name"], failure.groups["wants"]
    kind = "a list of tensors" if wants.startswith("List") else "a tensor"
    yield failure.hit(
        f"`{name}` is {kind}, and something else comes: torch.tensor(...), a place for each rank, or the *_object form"
    )


CURES = {
    "Expected timeout argument to be of type datetime.timedelta": "a time is no number here: datetime.timedelta(seconds=...)",
    "init_process_group device_id parameter must be an accelerator with an index": "device_id is one card: torch.device('cuda', local_rank), "
    "and nothing on the CPU",
    "but no accelerator support is found from the current compilation": "this PyTorch knows no card: no device_id, or a build for the card",
    "Please use a device_id with index": "device_id is one card: torch.device('cuda', local_rank), and nothing on the CPU",
    "scatter_list`` must": "what is scattered is given on one rank, src, and on no other: None elsewhere",
    "on complex tensors": "complex numbers are summed only: torch.view_as_real for the other operations",
    "monitored_barrier is only implemented for GLOO": "monitored_barrier is gloo's: a group of its own, new_group(backend='gloo')",
    "ranks list must not contain duplicate entries": "a rank is named twice in the list of a new group",
    "Must specify global_rank or group_rank": "src or dst is missing: the rank that has it, or that gets it",
    "please create group with torch.distributed.new_group API": "that group was destroyed, or is none: a group is what new_group returns",
}
pitfall.answers(CURES, odds=0.96)


pitfall.answers(
    {
        "of type ``torch.distributed.isend`` or": "a P2POp is made of dist.isend or dist.irecv, and not of send or recv",
        "is expected to to be of type ``torch.distributed.P2POp": "batch_isend_irecv takes a list of dist.P2POp(dist.isend, tensor, peer)",
        "which does not belong to the given group": "this rank is not in the group, so that nothing is done: call it on the members alone",
        "scatter_object_output_list to be a list of size at least 1": "what is scattered comes back in a list: scatter_object_output_list=[None]",
    },
    odds=0.95,
)
