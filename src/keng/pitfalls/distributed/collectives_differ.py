r"""The ranks call different collectives, or not the same number of them.

A collective is matched by its number alone: the fifth call of one rank is the fifth of the others.
Where ranks part, because a branch depends on data, or one has a batch more than another, the calls
that meet do not belong together. Of another kind they wait for each other until the time-out; with
other shapes gloo returns wrong sums without an error. A process group, too, is made by all ranks, those
that are not in it as well: the names of later groups count those before.

Cure: let every rank make the same calls in the same order: multiply by 0 or 1 in place of a branch on
data; for uneven batches, `with Join([model]):`, or a sampler that gives every rank as many.

Bad (2 ranks, one has a batch more than the other):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
batches = 3 + dist.get_rank()
for batch in range(batches):
    gradient = torch.ones(2)
    dist.all_reduce(gradient)  # seen: rank 1 comes here once more than rank 0
```

Bad (2 ranks, a branch on the data):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
value = torch.tensor([float(dist.get_rank())])
if value.item() > 0:
    dist.all_reduce(value)
else:
    dist.barrier()  # seen: rank 1 is in all_reduce
```

Bad (2 ranks, a group is made by rank 0 alone):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank() == 0:
    workers = dist.new_group([1])
everyone = dist.new_group([0, 1])  # seen: the ranks call it by different names
dist.all_reduce(torch.ones(2), group=everyone)
```

Bad (2 ranks, two sums of one shape in two orders: each takes the other's):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
loss, right = torch.tensor([0.5]), torch.tensor([12.0])
if dist.get_rank() == 0:
    dist.all_reduce(loss)  # seen: rank 1 begins with the other
    dist.all_reduce(right)
else:
    dist.all_reduce(right)
    dist.all_reduce(loss)
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
for batch in range(3):
    gradient = torch.ones(2)
    dist.all_reduce(gradient)
value = torch.tensor([float(dist.get_rank())])
dist.all_reduce(value * (value > 0))
```

Fine (3 ranks; all make the group):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
pair = dist.new_group([0, 1])
everyone = dist.new_group([0, 1, 2])
if dist.get_rank() < 2:
    dist.all_reduce(torch.ones(2), group=pair)
dist.all_reduce(torch.ones(2), group=everyone)
```

Fine (2 ranks; one or the other sum, as the data has it, and a sum of the same in two arms):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
none, some = torch.zeros(1), torch.ones(1)
for batch in range(4):
    if (batch + dist.get_rank()) % 2:
        dist.all_reduce(none)
        continue
    dist.all_reduce(some)
if dist.get_rank() == 0:
    dist.all_reduce(some)
    dist.all_reduce(none)
else:
    dist.all_reduce(some)
    dist.all_reduce(none)
```

Fine (2 ranks; what they gather is of different sizes, and what one sends the other receives):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
names = [None, None]
dist.all_gather_object(names, "x" * (rank + 1))
if rank == 0:
    dist.send(torch.ones(3), dst=1)
else:
    dist.recv(torch.zeros(3), src=0)
dist.gather_object(rank, names if rank == 0 else None)
```
Message (torch 2.13, gloo, which then ends the process):

```text
terminate called after throwing an instance of 'gloo::EnforceNotMet'
  what():  [enforce fail at gloo/transport/tcp/pair.cc:456] op.preamble.length <= op.nbytes. 156 vs 150. Received data size doesn't match expected size. Is there a distributed collective mismatch in your code?
```

Message (torch 2.13, TORCH_DISTRIBUTED_DEBUG=DETAIL; `rank 0 is in ALLREDUCE and rank 1 is in BROADCAST`):

```text
RuntimeError: Detected mismatch between collectives on ranks. Rank 0 is running collective: CollectiveFingerPrint(SequenceNumber=0, OpType=ALLREDUCE, TensorShape=[10], TensorDtypes=Float), but Rank 1 is running collective: CollectiveFingerPrint(SequenceNumber=0, OpType=BROADCAST, TensorShape=[10], TensorDtypes=Float).Collectives differ in the following aspects: 	 Op type: ALLREDUCEvs BROADCAST
```

Message (NCCL 2.4 to 2.28; `1024 bytes`):

```text
NCCL WARN Message truncated : received 1024 bytes instead of 256
```

Message (DeepSpeed; `rank 2`):

```text
RuntimeError: disagreement between rank0 and rank2: rank0: [0, 1, 2, 3], rank2: [0, 2, 3, 5]
```
"""

import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks

pitfall = Pitfall(__name__, __doc__, severity="error")

EQUAL = (
    "Give every rank as many batches: a DistributedSampler does; around DDP `with Join([model]):`"
)
GROUPS = "Let every rank make every group, in one order, whether it is in it or not"


@pitfall.compares
def apart(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or parting.broken or parting.alone or not parting.sure:
        return
    number, ahead = parting.number, parting.ahead
    at_it = [side for side in parting.sides if side.collective and side is not ahead]
    gone = [side for side in parting.sides if side.gone and not side.collective]
    does = ", ".join(map(str, at_it))
    if ahead is not None and ahead.left and at_it:
        says = f"{spoken(ahead.ranks)} left the loop of line {ahead.left.line} for {ahead.call}; {does}"
    elif gone and at_it:
        says = f"{', '.join(map(str, gone))} before call {number}; {does}"
    elif parting.swapped:
        says = f"calls {number} and {number + 1} are made in two orders: {', '.join(map(str, parting.sides))}"
    else:
        says = f"call {number} is not one call: {', '.join(map(str, parting.sides))}"
    makers = [side for side in parting.sides if side.makes_group]
    made = [side for side in (*at_it, *parting.sides) if side.collective]
    where = next((side.where for side in (*makers, *made)), None)
    cure = GROUPS if makers else EQUAL if ahead is not None or gone else ""
    yield ranks.hit(says, where, fix=Fix(cure, (), "shown") if cure else None, call=number)


@pitfall.compares
def groups_differ(ranks: Ranks) -> Hits:
    for first, last in ranks.stall.unlike_groups if ranks.stall is not None else ():
        yield ranks.hit(
            f"rank {first.rank} makes its process group number {first.group_awaited}, rank {last.rank} its number "
            f"{last.group_awaited}: an earlier one was made by some ranks only",
            first.where,
            fix=Fix(GROUPS, (), "shown"),
        )


@pitfall.explains(r"op\.preamble\.length <= op\.nbytes\. (?P<came>\d+) vs (?P<room>\d+)", odds=0.9)
def more_came_than_fits(failure: Failure) -> Hits:
    came, room = failure.groups["came"], failure.groups["room"]
    yield failure.hit(
        f"another rank sent {came} bytes where this one has room for {room}: their tensors differ in shape (a smaller last "
        "batch: pad, or drop_last=True), or they are in different calls"
    )


@pitfall.explains(
    r"Detected mismatch between collectives on ranks\. Rank (?P<one>\d+) is running", odds=0.96
)
def told_by_detail(failure: Failure) -> Hits:
    told = re.findall(r"Rank (\d+) is running .{0,120}?OpType=(\w+)", failure.message)
    shapes = re.findall(r"TensorShape=(\[[\d, ]{0,60}\])", failure.message)
    calls = " and ".join(f"rank {rank} is in {op}" for rank, op in told[:2])
    if len({op for _, op in told}) == 1 and len(set(shapes[:2])) == 2:
        calls += f", with {shapes[0]} and {shapes[1]}"
    yield failure.hit(
        f"{calls or 'the ranks part'}: every rank makes the same calls in the same order"
    )


@pitfall.explains(
    r"Message truncated : received (?P<came>\d+) bytes instead of (?P<wants>\d+)", odds=0.85
)
def other_length(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(
        f"another rank sent {came} bytes where {wants} were awaited: the ranks are in different calls, or run another NCCL"
    )


@pitfall.explains(r"disagreement between rank0 and rank(?P<rank>\d+): rank0: \[", odds=0.9)
def other_parameters_under_zero(failure: Failure) -> Hits:
    yield failure.hit(
        f"rank {failure.groups['rank']} goes through other parameters than rank 0, which ZeRO gathers together: the model's way "
        "must not depend on the data"
    )
