r"""A collective is called on some ranks only.

`all_reduce`, `barrier` and their kin are one call made by every rank of a group. Where one rank makes
it alone, as to print a loss under `if rank == 0`, it is answered by whatever the others call next. Of
another kind or shape, that is a wait without end, at full load: 30 minutes with gloo, 10 with NCCL,
until a time-out whose text names neither line. Of the same kind and shape, nothing is raised: the
values of two different tensors are mixed, and gradients are wrong.

Cure: let every rank make the call, and only the printing be rank 0's.

Bad (2 ranks):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
loss = torch.ones(1)
if dist.get_rank() == 0:
    dist.all_reduce(loss)  # here: rank 0 waits in it, rank 1 in the barrier below
    print(f"loss {loss.item():.3f}")
dist.barrier()
```

Bad (2 ranks, of the same kind and shape as the next):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
gradient = torch.ones(4)
for step in range(3):
    if rank == 0 and step == 1:
        logged = torch.full((4,), 100.0)
        dist.all_reduce(logged)  # here: is added to the gradient of rank 1
    dist.all_reduce(gradient)
```

Bad (2 ranks, behind a decorator):

```python
import functools

import torch
import torch.distributed as dist


def main_only(function):
    @functools.wraps(function)
    def inner(*args):
        if dist.get_rank() == 0:
            return function(*args)

    return inner


@main_only
def show(loss):
    dist.all_reduce(loss)  # here: rank 0 waits in it, rank 1 in the barrier below
    print(f"loss {loss.item():.3f}")


dist.init_process_group("gloo")
show(torch.ones(1))
dist.barrier()
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
loss = torch.ones(1)
dist.all_reduce(loss)
if dist.get_rank() == 0:
    print(f"loss {loss.item():.3f}")
dist.barrier()
```

Fine (2 ranks; each rank has a line of its own for the same call, or a group of its own):

```python
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
groups = [dist.new_group([0]), dist.new_group([1])]
weight = torch.full((4,), float(rank))
if rank == 0:
    dist.broadcast(weight, src=0)
else:
    received = torch.zeros(4)
    dist.broadcast(received, src=0)
if rank != 0:
    dist.barrier()
if rank == 0:
    dist.all_reduce(weight, group=groups[0])
    dist.barrier()
dist.barrier()
```

Fine (2 ranks; one first, then the others; what one alone does after all have met):

```python
import contextlib

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, world_size = dist.get_rank(), dist.get_world_size()


@contextlib.contextmanager
def zero_first():
    if rank not in (-1, 0):
        dist.barrier()
    yield
    if rank == 0:
        dist.barrier()


def mean(value):
    if world_size == 1:
        return value
    dist.all_reduce(value)
    return value / world_size


def show(value):
    value = mean(value)
    if rank != 0:
        return
    print(value.item())


with zero_first():
    torch.manual_seed(rank)
show(torch.ones(1))
```

Fine (2 ranks; a group given by position; a test of what happens when the others stay away):

```python
from contextlib import contextmanager
from datetime import timedelta

import torch.distributed as dist

dist.init_process_group("gloo")
groups = [dist.new_group([0]), dist.new_group([1])]


@contextmanager
def raises(kind):
    try:
        yield
    except kind:
        return
    raise AssertionError


if dist.get_rank() == 0:
    dist.barrier(groups[0])
    with raises(RuntimeError):
        dist.monitored_barrier(timeout=timedelta(seconds=0.1))
```


Message (torch 2.1 and later, NCCL):

```text
[E ProcessGroupNCCL.cpp:607] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600013 milliseconds before timing out.
```

Message (torch 1.7 to 2.0, NCCL):

```text
[E ProcessGroupNCCL.cpp:737] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=469508, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1802212 milliseconds before timing out.
```

Message (torch 2.13.0, gloo):

```text
RuntimeError: [/__w/pytorch/pytorch/third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 1800000ms for recv operation to complete
```

Message (torch 1.8 to 2.13; `one rank`):

```text
RuntimeError: Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data. To avoid data inconsistency, we are taking the entire process down.
```

Message (a short form; `one rank`):

```text
torch.distributed.DistBackendError: NCCL timeout
```

Message (torch 2.2 to 2.13; `480 s`):

```text
[PG ID 0 PG GUID 0(default_pg) Rank 1] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives. This typically indicates a NCCL/CUDA API (e.g., CudaEventDestroy) hang blocking the watchdog, and could be triggered by another thread holding the GIL inside a CUDA api
```

Message (torch 2.4 to 2.13; `rank 0`):

```text
[PG ID 0 PG GUID 0 Rank 2] Received a dump signal due to a collective timeout from rank 0 and we will try our best to dump the debug info.
```

Message (Horovod 0.13 to 0.28; `one rank`):

```text
horovod.common.exceptions.HorovodInternalError: Horovod has been shut down. This was caused by an exception on one of the ranks or an attempt to allreduce, allgather or broadcast a tensor after one of the ranks finished execution.
```

Message (Horovod 0.13 to 0.28; `some of the ranks`):

```text
[1,0]<stderr>:W horovod/common/stall_inspector.cc:105] One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting for remainder of ranks for more than 60 seconds.
```

Message (fairseq 0.9 to 0.12; `out of memory`):

```text
Exception: Unable to unpickle data from other workers. all_gather_list requires all workers to enter the function together, so this error usually indicates that the workers have fallen out of sync somehow. Workers can fall out of sync if one of them runs out of memory, or if there are other conditions in your training script that can cause one worker to finish an epoch while other workers are still iterating over their portions of the data.
```

Message (torch 2.1 and later, NCCL; `NCCL_P2P_DISABLE`):

```text
[E ProcessGroupNCCL.cpp:475] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800865 milliseconds before timing out.
```
"""

from keng.explain.advice.processes import waited_in_vain
from keng.explain.failure import Failure
from keng.model import Hits, Pitfall
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.source import Code

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.finds(fixes=True)
def reached_by_some(code: Code) -> Hits:
    for call, name, arm in code.one_sided():
        who = "rank 0 alone makes" if arm == "zero" else "all ranks but 0 make"
        waits = "waits for the others" if arm == "zero" else "wait for it"
        says = f"{who} this call of {name}, and {waits}"
        yield code.hit(call, says, fix=code.for_all_ranks(call))


@pitfall.compares
def made_alone(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or parting.broken or (side := parting.alone) is None:
        return
    waits, makes = ("waits", "makes") if len(side.ranks) == 1 else ("wait", "make")
    does = f"{waits} alone in" if parting.stands else f"alone {makes}"
    under = f" under `{side.guard}`" if side.guard else ""
    says = f"{spoken(side.ranks)} {does} {side.collective}{under}; {parting.others(side)}"
    yield ranks.hit(says, side.where, sure=parting.sure, call=parting.number)


@pitfall.explains(
    r"Watchdog caught collective operation timeout: WorkNCCL\((?:SeqNum=(?P<nth>\d+), )?.{0,80}?OpType=(?P<op>\w+)",
    odds=0.6,
)
def stood_still(failure: Failure) -> Hits:
    says = waited_in_vain(failure.groups["op"], failure.groups["nth"])
    yield failure.hit(says, sure=False)


@pitfall.explains(r"Timed out waiting (?P<ms>\d+)ms for (?:recv|send) operation", odds=0.6)
def never_answered(failure: Failure) -> Hits:
    says = f"no answer from another rank in {int(failure.groups['ms']) // 1000} s"
    yield failure.hit(
        f"{says}: it is in another collective, at work alone (a save, an evaluation), or gone; see its log",
        sure=False,
    )


@pitfall.explains(
    r"Some NCCL operations have failed or timed out",
    r"NCCL (?:operation )?time-?d?[ -]?out\b",
    odds=0.6,
)
def timed_out(failure: Failure) -> Hits:
    yield failure.hit(
        "a collective waited in vain: one rank did not come to it (a branch, another number of batches, a slow save), or "
        "has died; see what each rank did last"
    )


@pitfall.explains(
    r"watchdog got stuck for (?P<seconds>\d+) seconds without making progress|Heartbeat monitor timed out",
    r"Received a (?:dump|timeout) signal due to a collective timeout from (?P<rank>this local rank|rank \d+)",
    odds=0.6,
)
def nothing_moves(failure: Failure) -> Hits:
    rank, seconds = failure.groups.get("rank"), failure.groups.get("seconds")
    first = (
        f"{rank} ran into its time-out first"
        if rank
        else f"nothing moved for {seconds or 'some hundred'} s"
    )
    yield failure.hit(
        f"{first}: a rank waits in a collective to which another does not come, or hangs in a call of CUDA; "
        "TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC where the wait is right"
    )


pitfall.answers(
    {
        "Horovod has been shut down. This was caused by an exception on one of the ranks": "one rank has ended, by an error of its own or with fewer batches, and the others wait for it: its error stands first; as many batches on all, or hvd.join()",
        "tensors were submitted to be reduced, gathered or broadcasted by subset of ranks": 'some of the ranks came to a collective and others did not, those under "Missing ranks": a branch on the rank, another number of batches, or a rank that has ended',
        "Unable to unpickle data from other workers": "one process came to a gathering and another did not, or to another one: it ran out of memory, or out of batches; its own error stands first",
    },
    odds=0.85,
)
