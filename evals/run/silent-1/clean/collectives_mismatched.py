"""In the exchange of experts' loads one rank calls another collective."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DistributedDataParallel(nn.Linear(8, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x, y = torch.randn(16, 8), torch.randint(4, (16,))
    optimizer.zero_grad()
    out = model(x)
    F.cross_entropy(out, y).backward()
    optimizer.step()
    load = torch.ones(4)
    shown = [torch.zeros_like(load) for _ in range(2)]
    dist.all_gather(shown, load)
dist.destroy_process_group()
