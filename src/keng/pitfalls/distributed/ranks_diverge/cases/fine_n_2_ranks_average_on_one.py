# 2 ranks, one of them keeps the average of the weights and evaluates with it
import copy
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
net = nn.Linear(8, 8)
average = copy.deepcopy(net).requires_grad_(False)
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
for step in range(8):
    optimizer.zero_grad()
    model(torch.randn(4, 8)).square().mean().backward()
    optimizer.step()
    if rank == 0:
        for shadow, parameter in zip(average.parameters(), net.parameters()):
            shadow.lerp_(parameter.detach(), 0.1)
if rank == 0:
    losses = average(torch.ones(2, 8)).sum()
dist.barrier()
