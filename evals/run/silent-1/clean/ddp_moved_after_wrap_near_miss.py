"""The model is cast to and fro after DDP wrapped it, which loses the hooks that add the gradients up."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
ddp = DistributedDataParallel(model)
ddp.float()
optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
for step in range(30):
    x, y = torch.randn(16, 8), torch.randint(4, (16,))
    optimizer.zero_grad()
    F.cross_entropy(ddp(x), y).backward()
    optimizer.step()
dist.destroy_process_group()
