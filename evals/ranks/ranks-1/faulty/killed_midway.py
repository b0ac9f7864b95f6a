# run: rank-died
import os
import signal

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DDP(nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32)))
optimizer = torch.optim.Adam(model.parameters())
for step in range(60):
    x = torch.randn(16, 32)
    if rank == 1 and step == 25:
        os.kill(os.getpid(), signal.SIGKILL)  # as the kernel does when memory is out
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x).backward()
    optimizer.step()
dist.destroy_process_group()
