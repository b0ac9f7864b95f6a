# 2 ranks, gradients clipped on one of them
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(8):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    if dist.get_rank() == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 0.01)
    optimizer.step()  # run: averaged, and changed since by rank 0
