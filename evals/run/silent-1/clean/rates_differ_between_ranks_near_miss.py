"""Each rank takes another learning rate."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DistributedDataParallel(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)))
rate = 0.1
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
scale = 1.0 + rank
for step in range(30):
    x, y = torch.randn(16, 8), torch.randint(4, (16,))
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss = loss * scale / 1.5
    loss.backward()
    optimizer.step()
dist.destroy_process_group()
