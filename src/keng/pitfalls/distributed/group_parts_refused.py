r"""A process group or a mesh is split, joined or shrunk in a way that it does not take.

A part of the ranks is named by lists: each rank in one of them at most, none empty. `split_group` and `shrink_group` split a communicator that is there, which NCCL can and gloo cannot, and want the group to be bound to its
card. A mesh is cut by the names of its dimensions in their order, and a dimension is divided into parts whose product is its size.

Cure: `new_group(ranks)` where the backend does not split; `init_process_group("nccl", device_id=torch.device("cuda", local_rank))` for `split_group`; `new_subgroups(group_size=2)` on the CPU; `mesh["dp", "tp"]` in
the order of `mesh_dim_names`.

Bad:

```python
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.new_subgroups_by_enumeration([[0], [0]])  # seen: `rank 0`
```

Good:

```python
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
group, groups = dist.new_subgroups_by_enumeration([[0]])
dist.destroy_process_group()
```

Message (torch 2.13; `device_id`):

```text
RuntimeError: No device associated with the default pg, not safe to split any process groups
```

Message (torch 2.13; `new_group(ranks)`):

```text
RuntimeError: No backend for the parent process group or its backend does not support splitting
```

Message (torch 2.13; `group_size=`):

```text
ValueError: Default group size only takes effect when CUDA is available.If your subgroup using a backend that does not depend on CUDA,please pass in 'group_size' correctly.
```

Message (torch 2.13; `in their order`):

```text
KeyError: "Invalid mesh_dim_names ('tp', 'dp') specified. Mesh dim indices should be in ascending order."
```

Message (torch 2.13; `2 * 2`):

```text
ValueError: The product of mesh_sizes=(2, 2) is 4, but the original dimension at dim=0 has size 8. These must be equal for unflatten to work correctly.
```

Message (torch 2.13; `mesh=`):

```text
ValueError: Must pass mesh if passing multiple ProcessGroups
```

Message (torch 2.13; `new_group`):

```text
TypeError: Process group backend for 'default_pg' does not support shrinking operations.
```

Message (torch 2.13; `None`):

```text
ValueError: source rank must provide non-None scatter_object_input_list
```

Message (torch 2.13; `one group`):

```text
ValueError: All ops need to use the same group.
```

Message (torch 2.13; `integers`):

```text
RuntimeError: Cannot use ReduceOp.BAND with non-integral dtype
```

Message (torch 2.13; `torch.cuda.set_device`):

```text
UserWarning: It seems like you did not set/select the default device for the current process before the DeviceMesh initialization or use a launcher (i.e. torchrun) which populates `LOCAL_RANK` environment variable. It is recommended to set the current device for the process BEFORE the DeviceMesh initialization so that the underlying communicator (i.e. NCCL) can be initialized properly.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Rank (?P<rank>\d+) has appeared in both subgroup (?P<one>\[[\d, ]*\]) and (?P<other>\[[\d, ]*\])",
    odds=0.97,
)
def rank_in_two(failure: Failure) -> Hits:
    rank, one, other = (failure.groups[key] for key in ("rank", "one", "other"))
    yield failure.hit(f"rank {rank} stands in {one} and in {other}: subgroups share no rank")


@pitfall.explains(
    r"The product of mesh_sizes=\((?P<sizes>[\d, ]+)\) is (?P<product>\d+), but the original dimension at dim=\d+ has size (?P<size>\d+)",
    odds=0.97,
)
def parts_make_another_size(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"].strip(", ").replace(", ", " * ")
    product, size = failure.groups["product"], failure.groups["size"]
    yield failure.hit(
        f"{sizes} makes {product} ranks, and the dimension of the mesh has {size}: sizes that multiply to that"
    )


CURES = {
    "not safe to split any process groups": "split_group wants the group bound to its card: device_id=torch.device('cuda', local_rank) at init_process_group, or new_group(ranks)",
    "or its backend does not support splitting": "this backend cannot be split, which NCCL can and gloo cannot: new_group(ranks)",
    "requires all ranks in the parent group to participate": "split_group is called on all ranks: without use_local_synchronization",
    "split_ranks cannot be None or empty": "split_group takes a list of lists of ranks: split_ranks=[[0, 1], [2, 3]]",
    "'ranks_per_subgroup_list' cannot be empty": "subgroups are a list of lists of ranks: [[0, 1], [2, 3]]",
    "Default group size only takes effect when CUDA is available": "without cards there is no size of a group by itself: new_subgroups(group_size=2)",
    "Mesh dim indices should be in ascending order": "a mesh is cut by its names in their order: as they stand in mesh_dim_names",
    "Slicing overlapping dim_names": "a flattened dimension and one of those it was made of are asked for at once: one of them",
    "has been created before, Please specify another valid mesh_dim_name": "the name of a flattened dimension is taken: another name",
    "Must pass mesh if passing multiple ProcessGroups": "a mesh of several groups wants its ranks and names too: mesh=torch.arange(4).reshape(2, 2), mesh_dim_names=('dp', 'tp')",
    "Must pass mesh_dim_names if passing multiple ProcessGroups": "a mesh of several groups wants a name for each: mesh_dim_names=('dp', 'tp')",
    "for ProcessGroup with ranks": "the mesh names other ranks than the group has: dist.get_process_group_ranks(group)",
    "does not support shrinking operations": "this backend cannot go on with fewer ranks: a new_group of those that are left, or the job again",
    "must provide non-None scatter_object_input_list": "the source of what is scattered gives None: a list of an object for each rank there, None on the others",
    "All ops need to use the same group": "what is sent together by batch_isend_irecv is of one group: a call for each group",
    "with non-integral dtype": "bits are combined of integers and booleans only: x.int() first, or another ReduceOp",
    "allreduce of sparse tensors only works with ReduceOp.SUM": "sparse tensors are only summed: x.to_dense() first, or SUM",
    "did not set/select the default device for the current process before the DeviceMesh": "a mesh guesses the card by the rank: torch.cuda.set_device(int(os.environ['LOCAL_RANK'])) before it, or torchrun",
    "DeviceMesh only support homogeneous hardware": "the ranks are not shared evenly over the cards of the machines: as many processes on each, or torch.cuda.set_device before the mesh",
    "No device mesh is currently active": "no mesh is given and none is entered: the mesh as argument, or `with mesh:` around it",
}
pitfall.answers(CURES, odds=0.96)
