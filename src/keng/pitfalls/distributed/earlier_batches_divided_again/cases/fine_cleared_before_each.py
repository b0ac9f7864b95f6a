# gradients cleared by the optimizer after a step; of measurements without a step, set to None and zeroed in place
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
part = nn.Linear(4, 1)
schedule = ScheduleGPipe(PipelineStage(part, 0, 1, torch.device("cpu")), 2, loss_fn=nn.functional.mse_loss)
optimizer = torch.optim.SGD(part.parameters(), lr=0.1)


def measure():
    x = torch.randn(8, 4)
    schedule.step(x, target=x[:, :1])


for step in range(2):
    measure()
    optimizer.step()
    optimizer.zero_grad()
for step in range(2):
    measure()
    part.weight.grad = part.bias.grad = None
for step in range(2):
    measure()
    for parameter in part.parameters():
        parameter.grad.zero_()
