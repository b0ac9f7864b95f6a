# 2 ranks, loaded on one of them
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))  # run: equal here, and not for long
if dist.get_rank() == 0:
    model.module.load_state_dict(nn.Linear(4, 1).state_dict())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
