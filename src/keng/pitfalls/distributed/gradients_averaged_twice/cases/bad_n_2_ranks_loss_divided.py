# 2 ranks; the loss is divided by the number of ranks
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(rank)
for step in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    loss = loss / world  # check: the loss is divided
    loss.backward()  # run: the loss is divided
    optimizer.step()
