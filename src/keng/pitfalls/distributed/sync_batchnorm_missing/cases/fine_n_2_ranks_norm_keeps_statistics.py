# 2 ranks, frozen batch norm statistics
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4).eval(), nn.Linear(4, 1))
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    model(torch.randn(2, 4)).square().mean().backward()
    optimizer.step()
