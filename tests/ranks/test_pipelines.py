"""Stages of a pipeline, as torch's schedules run them."""

from __future__ import annotations

from pathlib import Path

import pytest
from torch.distributed.pipelining.stage import PipelineStage

from job import job

GPIPE = """
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe



made = PipelineStage._to_tensor


def filled(self, arg):
    real = made(self, arg)
    return torch.full_like(real, float("inf")).requires_grad_(real.requires_grad)


PipelineStage._to_tensor = filled  # what may lie in memory
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(rank)
part = nn.Linear(4, 4)
stage = PipelineStage(part, rank, world, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=2, loss_fn=nn.MSELoss())
optimizer = torch.optim.SGD(part.parameters(), lr=0.01)
for step in range(4):
    x = torch.randn(4, 4)
    optimizer.zero_grad()
    if rank == 0:
        schedule.step(x)
    else:
        schedule.step(target=x, losses=[])
    optimizer.step()
dist.barrier()
"""


@pytest.mark.skipif(not hasattr(PipelineStage, "_to_tensor"), reason="an older torch")
def test_shape_exchange_of_stages_is_not_compared(tmp_path: Path) -> None:
    done = job(GPIPE, tmp_path)
    assert done.codes == [0, 0], [rank.err for rank in done.ranks]
    assert done.told["findings"] == []
