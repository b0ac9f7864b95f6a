r"""A pipeline's stages, chunks or schedule do not fit together.

`torch.distributed.pipelining` gives each process a stage, cuts a batch into chunks (microbatches) and sends them through by a schedule. The batch must have a row for every chunk, the stages
are numbered from 0 to their number, and most schedules want at least as many chunks as stages, the interleaved ones a multiple. Splitting by `pipeline(...)` goes through
`torch.export`, which takes no branches on data; a step computes gradients.

Cure: choose `n_microbatches` by the number of stages, and a batch of at least as many rows; the last, smaller batch is left out with `drop_last=True`; cut a model that does not export by hand, and wrap the
parts in `PipelineStage`; `schedule.eval(x)` under `no_grad`.

Bad (fewer rows than chunks):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 0, 1, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=4)
schedule.step(torch.ones(3, 2))  # seen: `4 chunks`
```

Bad (fewer chunks than stages):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, Schedule1F1B

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 0, 4, torch.device("cpu"))
schedule = Schedule1F1B(stage, n_microbatches=2)  # seen: `4 stages`
```

Bad (a number that is not there):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 2, 2, torch.device("cpu"))  # seen: `from 0`
```

Good:

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 0, 1, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=2)
out = schedule.step(torch.ones(4, 2))
dist.destroy_process_group()
```

Message (torch 2.4 to 2.13; `by hand`):

```text
RuntimeError: It seems that we cannot capture your model as a full graph. Typical reasons include graph breaks, data/shape-dependent control flow, or missing meta kernels for custom operators. You can use our manual pipeline interfaces, or try to fix the graph breaks, see https://pytorch.org/docs/stable/export.html
```

Message (torch 2.13; `schedule.eval`):

```text
RuntimeError: step() requires gradients to be enabled for backward computation; it should not be used under torch.no_grad() context. Please call eval() instead.
```

Message (torch 2.13; `one of them`):

```text
ValueError: Cannot specify both `split_spec` and `split_policy`. Please use only one of them.
```

Message (torch 2.13; `1F1B`):

```text
ValueError: Unknown schedule name 'foo'. The valid options are ['1F1B', 'Interleaved1F1B', 'GPipe', 'LoopedBFS', 'InterleavedZeroBubble', 'PipelineScheduleSingle', 'PipelineScheduleMulti', 'ZBVZeroBubble', 'DualPipeV']
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(
    r"Expecting (?P<chunks>\d+) (?:arg|kwarg|target)_mbs but got (?P<came>\d+)", odds=0.96
)
def too_few_rows(failure: Failure) -> Hits:
    chunks, came = failure.groups["chunks"], failure.groups["came"]
    yield failure.hit(
        f"{chunks} chunks are wanted, and the batch gives {came}: a batch of as many rows, or fewer n_microbatches"
    )


@pitfall.explains(
    r"Number of microbatches \((?P<chunks>\d+)\) must be greater than or equal to the number of stages \((?P<stages>\d+)\)",
    odds=0.97,
)
def too_few_chunks(failure: Failure) -> Hits:
    chunks, stages = failure.groups["chunks"], failure.groups["stages"]
    yield failure.hit(
        f"{chunks} chunks do not fill {stages} stages: n_microbatches={stages} or more"
    )


@pitfall.explains(r"Stage index (?P<stage>\d+) is out of range of (?P<n>\d+)", odds=0.97)
def no_such_stage(failure: Failure) -> Hits:
    stage, n = failure.groups["stage"], failure.groups["n"]
    yield failure.hit(f"there is no stage {stage} of {n}: they are numbered from 0")


@pitfall.explains(r"Unknown schedule name '\S{1,80}'\. The valid options are", odds=0.97)
def no_such_schedule(failure: Failure) -> Hits:
    yield failure.hit(
        "schedules are named as classes without Schedule: 1F1B, GPipe, Interleaved1F1B"
    )


CURES = {
    "cannot capture your model as a full graph": "the model cannot be exported, and so not be cut by itself: cut it by hand, and PipelineStage around each part",
    "step() requires gradients to be enabled for backward": "a step computes gradients, and they are off: schedule.eval(x) under no_grad",
    "Cannot specify both `split_spec` and `split_policy`": "split_spec and split_policy say both where to cut: one of them",
    "requires the number of microbatches to be a multiple of the number of": "an interleaved schedule goes in rounds: n_microbatches a multiple of them",
}
pitfall.answers(CURES, odds=0.93)
