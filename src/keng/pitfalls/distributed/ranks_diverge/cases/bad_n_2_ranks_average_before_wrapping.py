# 2 ranks, the average of the weights begins with the weights that each rank drew itself
import copy
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Linear(8, 8)
average = copy.deepcopy(net).requires_grad_(False)
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
for step in range(8):
    optimizer.zero_grad()
    model(torch.randn(4, 8)).square().mean().backward()
    optimizer.step()  # run: a copy of the model differs
    for shadow, parameter in zip(average.parameters(), net.parameters()):
        shadow.lerp_(parameter.detach(), 0.1)
losses = average(torch.ones(2, 8)).sum()
