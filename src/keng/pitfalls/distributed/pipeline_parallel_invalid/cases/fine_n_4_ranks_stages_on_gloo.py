# 4 ranks, each a stage of torch's pipeline schedule
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(rank)
part = nn.Sequential(nn.Linear(8, 8), nn.Tanh())
stage = PipelineStage(part, rank, world, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=2, loss_fn=nn.functional.mse_loss)
optimizer = torch.optim.SGD(part.parameters(), lr=0.01)
torch.manual_seed(0)
for step in range(4):
    x, target = torch.randn(4, 8), torch.zeros(4, 8)
    optimizer.zero_grad()
    if rank == 0:
        schedule.step(x)
    elif rank == world - 1:
        schedule.step(target=target)
    else:
        schedule.step()
    optimizer.step()
