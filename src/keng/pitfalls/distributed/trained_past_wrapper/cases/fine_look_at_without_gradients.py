# `model.module` without gradients, for inspection
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.Linear(4, 1)
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    with torch.no_grad():
        shown = model.module(torch.ones(1, 4)) + net(torch.ones(1, 4))
