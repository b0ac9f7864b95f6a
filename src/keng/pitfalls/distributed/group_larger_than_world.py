r"""A rank is named that there is not, or a group of more processes than were started.

A program written for eight processes is started with fewer: a mesh of (2, 4), `new_group([0, 1, 2, 3])` or a source rank of 3 does not exist then. Ranks count from 0,
and a collective's `src` and `dst` are ranks of the whole world, also within a group.

Cure: make sizes from `dist.get_world_size()`; start as many as are meant, `torchrun --nproc-per-node=8`; give a mesh names to take a part
of it, `mesh_dim_names=("dp", "tp")`.

Bad (a group):

```python
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
pair = dist.new_group([0, 1])  # seen: `more processes`
```

Bad (a source):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.broadcast(torch.ones(2), src=1)  # seen: `rank 1`
```

Good:

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
everyone = dist.new_group(list(range(dist.get_world_size())))
dist.broadcast(torch.ones(2), src=0)
dist.destroy_process_group()
```

Message (torch 2.13; `8`):

```text
RuntimeError: Mesh should not be bigger than default world size 2, but found 8 ranks!
```

Message (torch 2.13; `rank 3`):

```text
ValueError: Rank 3 is out of range. Valid ranks are 0 to 0 (world_size=1)
```

Message (torch 2.13; `mesh_dim_names`):

```text
RuntimeError: Cannot slice a DeviceMesh without mesh_dim_names!
```

Message (torch 2.13; `itself`):

```text
ValueError: Invalid destination rank: destination rank should not be the same as the rank of the current process.
```

Message (torch 2.13; `rank 4`):

```text
ValueError: Global rank 4 is not part of group <torch.distributed.distributed_c10d.ProcessGroup object at 0x7f5a518641b0>
```

Message (torch 1.7 to 2.13, of a DistributedSampler; `rank 2`):

```text
ValueError: Invalid rank 2, rank should be in the interval [0, 1]
```

Message (torch 1.0 to 2.1):

```text
RuntimeError: The new group's rank should be within the the world_size set by init_process_group
```

Message (torch 1.9 to 2.4, of new_subgroups; `divides`):

```text
ValueError: The world size must be divisible by 'group_size'
```

Message (torch 2.13; `rank 5`):

```text
ValueError: Group rank 5 is not part of group <torch.distributed.distributed_c10d.ProcessGroup object at 0x7f5a518641b0>
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"[Tt]he new group's (?:world size|rank) should be (?:less or equal to|within) (?:the )?the world_?\s?size",
    odds=0.96,
)
def group_too_large(failure: Failure) -> Hits:
    yield failure.hit(
        "the group names more processes than there are: the program was started with fewer"
    )


@pitfall.explains(
    r"Mesh should not be bigger than default world size (?P<world>\d+), but found (?P<came>\d+) ranks",
    odds=0.97,
)
def mesh_too_large(failure: Failure) -> Hits:
    came, world = failure.groups["came"], failure.groups["world"]
    yield failure.hit(
        f"the mesh has {came} places, and {world} processes were started: as many by --nproc-per-node, or sizes that multiply to {world}"
    )


@pitfall.explains(r"Global rank (?P<rank>\d+) is not part of group", odds=0.95)
def not_of_the_group(failure: Failure) -> Hits:
    yield failure.hit(
        f"src and dst are ranks of the whole world, also within a group, and rank {failure.groups['rank']} is not in this one"
    )


@pitfall.explains(
    r"Invalid rank (?P<rank>\d+), rank should be in the interval \[0, (?P<last>\d+)\]", odds=0.95
)
def sampler_of_fewer(failure: Failure) -> Hits:
    rank, all_of = failure.groups["rank"], int(failure.groups["last"]) + 1
    yield failure.hit(
        f"a DistributedSampler shares out to {all_of} processes and is told rank {rank}: leave num_replicas= and rank= out, or dist.get_world_size() "
        "and dist.get_rank()"
    )


@pitfall.explains(
    r"ProcessGroup\w+::\w+: invalid root rank: (?P<rank>\d+)",
    r"Group rank (?P<rank>\d+) is not part of group",
    r"\b(?P<rank>\d+) is out of range\. Valid ranks are 0 to \d+ \(world_size=\d+\)",
    odds=0.95,
)
def no_such_rank(failure: Failure) -> Hits:
    yield failure.hit(
        f"there is no rank {failure.groups['rank']} in this group: ranks run from 0 to its size - 1"
    )


@pitfall.explains(r"Cannot slice a DeviceMesh without mesh_dim_names", odds=0.97)
def mesh_without_names(failure: Failure) -> Hits:
    yield failure.hit("a part of a mesh is taken by name: mesh_dim_names= when it is made")


@pitfall.explains(
    r"(?P<what>destination|source) rank should not be the same as the rank of the current process",
    odds=0.97,
)
def to_itself(failure: Failure) -> Hits:
    yield failure.hit(
        f"a process sends to or receives from itself: the {failure.groups['what']} is its own rank"
    )


pitfall.answers(
    {
        "must be divisible by 'group_size": "the processes are not shared out evenly: a group size that divides their number",
        "The arg 'group_size' (": "a subgroup is larger than all: as many processes as were started at most",
    },
    odds=0.96,
)
