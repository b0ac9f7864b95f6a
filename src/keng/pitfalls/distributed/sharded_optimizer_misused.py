r"""An optimizer that is spread over the ranks is used like one that is whole.

`ZeroRedundancyOptimizer` keeps on each rank the state of its part of the parameters alone. Its state dict is there only after all ranks have sent their parts to one; its parameters are dense and of one dtype. With
`overlap_with_ddp=True` it steps inside of the backward pass of DistributedDataParallel. `Join`, which evens out inputs of several lengths, and the averaging of models have limits of their own.

Cure: `optimizer.consolidate_state_dict(to=0)` on all ranks, then `optimizer.state_dict()` on rank 0; `ZeroRedundancyOptimizer(model.parameters(), torch.optim.AdamW, lr=...)`, with the class and not an instance.

Bad:

```python
import torch
import torch.distributed as dist
from torch.distributed.optim import ZeroRedundancyOptimizer

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(2, 2)
optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam)
state = optimizer.state_dict()  # seen: `consolidate_state_dict`
```

Good:

```python
import torch
import torch.distributed as dist
from torch.distributed.optim import ZeroRedundancyOptimizer

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(2, 2)
optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam)
optimizer.consolidate_state_dict(to=0)
if dist.get_rank() == 0:
    state = optimizer.state_dict()
dist.destroy_process_group()
```

Message (torch 2.13; `one dtype`):

```text
ValueError: ZeroRedundancyOptimizer only supports using the same dense type for all parameters but got both torch.FloatTensor and torch.HalfTensor
```

Message (torch 2.13; `is empty`):

```text
ValueError: ZeroRedundancyOptimizer got an empty parameter list
```

Message (torch 2.13; `NAdam`):

```text
ValueError: Using `ddp_with_overlap=True` requires using a functional optimizer, but there is no supported functional optimizer equivalent for <class 'torch.optim.nadam.NAdam'>
```

Message (torch 2.13; `first steps`):

```text
RuntimeError: This method should not be called until this ZeroRedundancyOptimizer instance has been fully initialized
```

Message (torch 2.13; `one group`):

```text
RuntimeError: ZeroRedundancyOptimizer with `overlap_with_ddp=True` only supports a single parameter group
```

Message (torch 2.13; `ran out`):

```text
RuntimeError: Detected at least one rank that exhausted inputs. Throwing across all ranks.
```

Message (torch 2.13; `3 batches`):

```text
UserWarning: Detected uneven input skew of greater than 3. This means that rank 1 has at least 3 fewer inputs than other currently-active ranks. This level of skew could lead to performance degradation during training.
```

Message (torch 2.13; `every step`):

```text
UserWarning: When period is 1, no need to use model averaging because the communication cost of all-reducing parameters will be no less than the cost of all-reducing gradients by DistributedDataParallel in the backward pass. Therefore, only DistributedDataParallel should be used for this case.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Please call `consolidate_state_dict\(to=(?P<rank>\d+)\)` on all ranks", odds=0.97
)
def state_not_brought_together(failure: Failure) -> Hits:
    rank = failure.groups["rank"]
    yield failure.hit(
        f"each rank holds a part of the optimizer's state: consolidate_state_dict(to={rank}) on all ranks first, then state_dict() on rank "
        f"{rank} alone"
    )


@pitfall.explains(
    r"requires using a functional optimizer, but there is no supported functional optimizer equivalent for <class '(?:\w+\.)*(?P<name>\w+)'>",
    odds=0.97,
)
def does_not_overlap(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` does not step inside of the backward pass: without overlap_with_ddp, or Adam, AdamW, SGD"
    )


@pitfall.explains(
    r"Detected uneven input skew of greater than (?P<n>\d+)\. This means that rank (?P<rank>\d+)",
    odds=0.97,
)
def far_fewer_inputs(failure: Failure) -> Hits:
    n, rank = failure.groups["n"], failure.groups["rank"]
    yield failure.hit(
        f"rank {rank} has {n} batches fewer than others, and only answers them from then on: share the data out evenly, as DistributedSampler does"
    )


CURES = {
    "only supports using the same dense type for all parameters": "ZeroRedundancyOptimizer takes dense parameters of one dtype: one for each dtype, and no sparse ones",
    "ZeroRedundancyOptimizer got an empty parameter list": "the list of parameters is empty: used up by an optimizer before it, or all are frozen",
    "until this ZeroRedundancyOptimizer instance has been fully initialized": "with overlap_with_ddp the optimizer is made in the first steps of training: no step() or state_dict() of one's own before",
    "`overlap_with_ddp=True` only supports a single parameter group": "with overlap_with_ddp there is one group of parameters: one learning rate for all, or without it",
    "`overlap_with_ddp=True` does not support changing parameter trainability": "with overlap_with_ddp nothing is frozen or thawed while it trains: an optimizer anew, or without it",
    "constructed with `overlap_with_ddp=True` to use this hook": "the hook steps for an optimizer that was made with overlap_with_ddp=True: both, or neither",
    "Passing in a functional optimizer": "ZeroRedundancyOptimizer takes the class, torch.optim.AdamW: a functional one is for overlap_with_ddp=True",
    "Detected at least one rank that exhausted inputs": "a rank ran out of batches before the others, and throw_on_early_termination ends all: drop_last=True, or samplers of one length",
    "exhausted all inputs.": "this rank ran out of batches before the others, and throw_on_early_termination ends all: drop_last=True, or samplers of one length",
    "context manager requires at least one joinable": "Join is told what to even out: Join([model]), or with the optimizer too",
    "Using join context manager with multiple process groups": "what Join evens out is of several process groups: a Join for each",
    "When period is 1, no need to use model averaging": "averaging the models at every step costs what DDP costs: a longer period, or DDP alone",
}
pitfall.answers(CURES, odds=0.96)
