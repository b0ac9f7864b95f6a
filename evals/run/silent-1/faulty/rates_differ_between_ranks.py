"""Each rank takes another learning rate.

Source: check 8. Cause: ranks-diverge. Ranks: 2.
"""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DistributedDataParallel(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)))
rate = 0.1 * (rank + 1)  #: faulty
rate = 0.1 * dist.get_world_size()  #: clean
rate = 0.1  #: near
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
scale = 1.0 + rank  #: near
for step in range(30):
    x, y = torch.randn(16, 8), torch.randint(4, (16,))
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss = loss * scale / 1.5  #: near
    loss.backward()
    optimizer.step()  #: here
dist.destroy_process_group()
