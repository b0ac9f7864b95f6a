# 2 ranks, one of which saves a checkpoint now and then
import time
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank = dist.get_rank()
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
torch.manual_seed(rank)
for step in range(300):
    optimizer.zero_grad()
    x = torch.randn(8, 4)
    time.sleep(0.01)
    model(x).square().mean().backward()
    optimizer.step()
    if rank == 0 and step % 100 == 99:
        time.sleep(0.4)  # as a large file takes
        torch.save(model.module.state_dict(), "model.pt")
