# 2 ranks that take batches of other sources at each step, and average the loss of the step
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
sources = {name: torch.randn(8, 4) for name in ("news", "books", "code")}
turned = dict(list(sources.items())[rank:] + list(sources.items())[:rank])
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for name, x in turned.items():
        optimizer.zero_grad()
        loss = (model(x + rank) - 1).square().mean()
        loss.backward()
        optimizer.step()
        mean = loss.detach()
        dist.all_reduce(mean)
        mean /= world
