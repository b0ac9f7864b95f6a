r"""The ranks wrap models that differ.

DistributedDataParallel compares number and shapes of the parameters of all ranks when it is made. They differ where the
model depends on the rank: on the vocabulary or the number of classes of that rank's part of the data, on a
checkpoint that one rank alone has loaded, on layers that are frozen on some.

Cure: build the model from numbers that all ranks share: count classes before the data are split, or broadcast the
number from rank 0.

Bad (2 ranks, of another size on each):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
classes = 2 + dist.get_rank()
model = DistributedDataParallel(nn.Linear(4, classes))  # seen: the ranks count other classes
```

Good (2 ranks):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
classes = torch.tensor(2 + dist.get_rank())
dist.all_reduce(classes, op=dist.ReduceOp.MAX)
model = DistributedDataParallel(nn.Linear(4, int(classes)))
```

Message (torch 1.10 to 2.13; `98`):

```text
RuntimeError: DDP expects same model across all ranks, but Rank 0 has 100 params, while rank 1 has inconsistent 98 params.
```

Message (torch 1.10 to 2.13, of cards that do not reach each other; `NCCL_P2P_DISABLE=1`):

```text
RuntimeError: DDP expects same model across all ranks, but Rank 1 has 110 params, while rank 0 has inconsistent 0 params.
```

Message (torch 1.10 to 2.13; `process 1`):

```text
RuntimeError: [1]: params[0] in this process with sizes [3, 4] appears not to match sizes of the same param in process 0.
```

Message (torch 1.7; `parameter 0`):

```text
RuntimeError: replicas[0][0] in this process with sizes [30522, 768] appears not to match sizes of the same param in process 0.
```

Message (torch 1.10 to 2.13, after a first exchange that timed out; `NCCL_DEBUG`):

```text
RuntimeError: DDP expects same model across all ranks, but Rank 5 has 110 params, while rank 0 has inconsistent 0 params.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"DDP expects same model across all ranks, but Rank (?P<one>\d+) has (?P<few>\d+) params, while rank (?P<other>\d+) has "
    r"inconsistent (?P<many>\d+) params",
    odds=0.97,
)
def another_number(failure: Failure) -> Hits:
    one, few, other, many = (failure.groups[key] for key in ("one", "few", "other", "many"))
    if "0" in (few, many):  # DDP refuses a model that has none before it asks
        yield failure.hit(
            f"the count of rank {one if few == '0' else other} came as 0, which no model has: the exchange between the cards failed, and not the model; "
            "NCCL_P2P_DISABLE=1 tells whether they reach each other, NCCL_DEBUG=WARN why not"
        )
        return
    yield failure.hit(
        f"rank {one} has {few} parameters and rank {other} has {many}: the model depends on the rank, as by classes counted in its share of the data, or by what is frozen there"
    )


@pitfall.explains(
    r"(?:\[(?P<rank>\d+)\]: params|replicas\[\d+\])\[(?P<at>\d+)\] in this process with sizes \[(?P<sizes>[\d, ]*)\] appears not to match",
    odds=0.97,
)
def other_sizes(failure: Failure) -> Hits:
    rank, at, sizes = (failure.groups[key] for key in ("rank", "at", "sizes"))
    yield failure.hit(
        f"parameter {at} is ({sizes}) in {f'process {rank}' if rank else 'this process'} and another size in process 0: the model depends on the rank, as by a vocabulary or classes counted in its share of the data"
    )
