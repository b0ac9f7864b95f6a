r"""A collective gets tensors that do not fit the group.

`all_gather`, `gather` and `scatter` take a list of one tensor for each rank; `all_gather_into_tensor` gives as much from every rank, one after the other, and
`reduce_scatter_tensor` and `all_to_all_single` divide by the number of ranks. All have the same dtype, and on all ranks the same shape: the last
batch of one rank is often smaller.

Cure: `[torch.empty_like(x) for _ in range(dist.get_world_size())]`; pad to the longest first, with `all_gather` of the lengths; `gather_object` for
what differs in shape.

Bad (one tensor too many):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = torch.ones(2)
dist.all_gather([torch.empty(2), torch.empty(2)], x)  # seen: `world size of 1`
```

Good:

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = torch.ones(2)
dist.all_gather([torch.empty_like(x) for _ in range(dist.get_world_size())], x)
dist.destroy_process_group()
```

Message (torch 2.13, gloo; `world size times`):

```text
RuntimeError: [rank0]:[F1123 05:33:25.459763794 ProcessGroupGloo.cpp:1537] Check failed: outputShape[0] * worldSize == inputShape[0] (6 vs. 4).
```

Message (torch 2.13, gloo; `for each rank`):

```text
RuntimeError: invalid input tensor list size, must be world size
```

Message (torch 2.13; `(3)`):

```text
RuntimeError: ProcessGroupGloo::allgather: invalid tensor size at index 0 (expected (2), got (3))
```

Message (torch 2.13; `world size of 4`):

```text
RuntimeError: ProcessGroupGloo::scatter: Incorrect input list size 2. Input list size should be 4, same as size of the process group.
```

Message (torch 1.13 to 2.13, NCCL; `as many`):

```text
RuntimeError: output tensor size must be equal to world_size times input tensor size
```

Message (torch 2.13; `add up`):

```text
RuntimeError: Split sizes doesn't match total dim 0 size
```

Message (torch 2.13; `empty_like`):

```text
ValueError: Invalid usage of tensors with different dtypesFound torch.float64 and  torch.float32
```

Message (torch 2.13; `destination`):

```text
ValueError: Argument ``gather_list`` must be specified on destination rank.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"invalid output tensor list at index \d+ \(expected length (?P<world>\d+), got (?P<came>\d+)\)",
    r"Incorrect (?:in|out)put list size (?P<came>\d+)\. (?:In|Out)put list size should be (?P<world>\d+)",
    odds=0.96,
)
def another_number_of_tensors(failure: Failure) -> Hits:
    came, world = failure.groups["came"], failure.groups["world"]
    yield failure.hit(f"a list of {came} for a world size of {world}: one tensor for each rank")


@pitfall.explains(
    r"ProcessGroup\w+::\w+: invalid tensor size at index \d+ \(expected (?P<wants>\(.{0,60}?\)), got (?P<came>\([\d, ]*\))\)",
    odds=0.93,
)
def shapes_differ(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"a place in the list has the shape {came}, and the tensor {wants}: torch.empty_like(x) for each rank; where the ranks' own "
        "shapes differ, pad them to one first"
    )


@pitfall.explains(
    r"output tensor size must be equal to world_size times input|same size as output size times world size",
    r"Check failed: outputShape\[0\] \* worldSize == inputShape\[0\]|gloo/alltoall\.cc:\d+\] in->size == out->size",
    odds=0.95,
)
def no_share_for_each(failure: Failure) -> Hits:
    yield failure.hit(
        "each rank gives or gets as many rows: the larger tensor is world size times the smaller one"
    )


@pitfall.explains(
    r"invalid input tensor list size, must be world size|Check failed: outputs\[0\]\.sizes\(\)\.vec\(\) == inputs\[0\]",
    odds=0.95,
)
def list_for_each_rank(failure: Failure) -> Hits:
    yield failure.hit(
        "reduce_scatter takes a list of one tensor for each rank, each of the output's shape"
    )


@pitfall.explains(r"Split sizes doesn't match total dim 0 size", odds=0.95)
def splits_do_not_add_up(failure: Failure) -> Hits:
    yield failure.hit(
        "the split sizes of all_to_all do not add up to the first dimension: input_split_sizes to that of what is sent, "
        "output_split_sizes to that of what comes"
    )


@pitfall.explains(
    r"Invalid usage of tensors with different dtypes\s?Found torch\.(?P<one>\w+) and {1,3}torch\.(?P<other>\w+)",
    odds=0.96,
)
def dtypes_differ(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(
        f"{one} and {other} meet in one collective: torch.empty_like(x) for what is received, and .float() for what NumPy has made"
    )


@pitfall.explains(
    r"Argument ``(?P<name>gather_list|scatter_list)`` must (?:not )?be specified on (?:non-)?(?:destination|source) rank",
    odds=0.97,
)
def list_on_one_rank(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"{name} is given on the destination or source rank alone, None on the others"
    )
