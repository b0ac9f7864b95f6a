# 2 ranks; gradients of each rank's own until the last of three are averaged together
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(9):
    with model.no_sync() if step % 3 < 2 else nullcontext():
        (model(torch.randn(8, 4)).square().mean() / 3).backward()
    if step % 3 == 2:
        optimizer.step()
        optimizer.zero_grad()
