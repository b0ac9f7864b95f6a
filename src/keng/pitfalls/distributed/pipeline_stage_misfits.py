r"""What a pipeline's stages hand on, or are asked for, is not what they can pass.

Between stages go tensors and nothing else: a stage takes its first arguments from the one before, and gives a tensor or a tuple of tensors. What is no tensor goes in by keyword, to all stages. The last stage has the loss
and needs the targets. Some schedules want a certain number of stages on each process, and hand on to the next stage alone, so that connections which skip one do not work.

Cure: `return hidden` or `return hidden, mask` and no dict, string or None; `schedule.step(x)` on the first process and `schedule.step(target=y, losses=losses)` on the last; connections within one stage.

Bad (no targets):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 0, 1, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=2, loss_fn=nn.functional.mse_loss)
schedule.step(torch.ones(4, 2))  # seen: `target=`
```

Bad (a dict):

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return {"hidden": self.fc(x)}


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(Net(), 0, 1, torch.device("cpu"))
ScheduleGPipe(stage, n_microbatches=2).step(torch.ones(4, 2))  # seen: `a dict`
```

Good:

```python
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
stage = PipelineStage(nn.Linear(2, 2), 0, 1, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=2, loss_fn=nn.functional.mse_loss)
losses = []
schedule.step(torch.ones(4, 2), target=torch.ones(4, 2), losses=losses)
dist.destroy_process_group()
```

Message (torch 2.13; `keyword`):

```text
torch.distributed.pipelining._utils.PipeliningMetadataError: Stage arg[1] has type int. All stage args must be tensors. Use kwargs for non-tensor inputs.
```

Message (torch 2.13; `None`):

```text
torch.distributed.pipelining._utils.PipeliningMetadataError: Stage arg[1] is None. Stage args must be tensors. Use kwargs for optional values.
```

Message (torch 2.13; `8 processes`):

```text
RuntimeError: Pipeline group size 8 cannot be larger than number of stages 4
```

Message (torch 2.13; `2 stages`):

```text
ValueError: ZBV requires exactly 2 stages per rank, but got 1.
```

Message (torch 2.13; `n_microbatches=4`):

```text
ValueError: DualPipeV requires at least as many microbatches as stages, but got 2 microbatches and 4 stages.
```

Message (torch 2.13; `skips`):

```text
RuntimeError: PipelineScheduleMulti only supports adjacent-stage communication, but stage 2 has input stages [0, 1] with non-adjacent stages [0] (allowed adjacent stages: [1]). This commonly indicates skip connections, which are unsupported in this schedule runtime.
```

Message (torch 2.13; `torch.compile`):

```text
RuntimeError: The ZBVZeroBubble schedule is not supported with stage modules that have used torch.compile. Found OptimizedModule in OptimizedModule
```

Message (torch 2.13; `losses=[]`):

```text
TypeError: losses must be a list but got a <class 'int'>
```

Message (torch 2.13; `of 0 to 1`):

```text
ValueError: Invalid stage index 5!
```

Message (torch 2.13; `input_args`):

```text
UserWarning: Stage 0 output: Metadata mismatch. shape: expected torch.Size([2, 3]), got torch.Size([2, 2]). Using dynamically inferred metadata instead.
```
"""

from keng.explain.failure import Failure
from keng.model import Hits, Pitfall

pitfall = Pitfall(__name__, __doc__, severity="error")


@pitfall.explains(r"Stage arg\[(?P<place>\d+)\] (?:is|has type) (?P<came>\w+)\.", odds=0.97)
def no_tensor_between(failure: Failure) -> Hits:
    place, came = failure.groups["place"], failure.groups["came"]
    yield failure.hit(
        f"place {place} of what goes into or out of a stage is {came}: tensors alone go by place, all else by keyword to schedule.step"
    )


@pitfall.explains(
    r"Stage args must be a tensor, tuple, or list of tensors, got (?P<came>\w+)", odds=0.97
)
def output_of_another_kind(failure: Failure) -> Hits:
    yield failure.hit(
        f"a stage hands on a {failure.groups['came']}: its forward gives a tensor, or a tuple of tensors"
    )


@pitfall.explains(
    r"Pipeline group size (?P<ranks>\d+) cannot be larger than number of stages (?P<stages>\d+)",
    odds=0.97,
)
def fewer_stages_than_ranks(failure: Failure) -> Hits:
    ranks, stages = failure.groups["ranks"], failure.groups["stages"]
    yield failure.hit(
        f"{ranks} processes for {stages} stages: a stage for each, or a smaller group=, as mesh.get_group('pp')"
    )


@pitfall.explains(
    r"\b(?P<name>\w{1,60}) requires exactly (?P<wants>\d+) stages per rank, but got (?P<came>\d+)",
    odds=0.97,
)
def stages_on_each(failure: Failure) -> Hits:
    name, wants, came = (failure.groups[key] for key in ("name", "wants", "came"))
    yield failure.hit(
        f"`{name}` wants {wants} stages on each process and gets {came}: cut the model into {wants} times as many parts as processes"
    )


@pitfall.explains(
    r"requires at least as many microbatches as stages, but got (?P<came>\d+) microbatches and (?P<wants>\d+) stages",
    odds=0.97,
)
def too_few_chunks(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(f"{came} chunks do not fill {wants} stages: n_microbatches={wants} or more")


CURES = {
    "loss_fn and target required for last stage": "the last stage has a loss and no targets: schedule.step(..., target=y) on the last process",
    "only supports adjacent-stage communication": "a connection skips a stage, and this schedule hands on to the next alone: keep it within one stage, or pass the tensor through",
    "Backward of skip connections not supported": "a connection skips a stage: keep it within one stage, or pass the tensor through",
    "stage modules that have used torch.compile": "this schedule splits the backward pass and takes no compiled stage: the model without torch.compile, or 1F1B",
    "losses must be a list but got": "the losses are put into a list of yours: losses=[]",
    "Invalid stage index": "the pipe was cut into fewer parts: stages are numbered from 0, as of 0 to 1 where it was cut once",
    "Using dynamically inferred metadata instead": "input_args or output_args of the stage are not what it really gets or gives, of one chunk: leave them out, or a chunk's shape",
    "Invalid action string": "a cell of the schedule's file is no step: stage, action and chunk, as 2F0",
    "Block mask has fewer batch size than the number of chunks": "the mask of flex_attention has fewer rows than there are chunks: a mask for the whole batch, or B=None",
    "output metadata is required for forward inference": "a stage gives None: its forward returns a tensor",
}
pitfall.answers(CURES, odds=0.96)
