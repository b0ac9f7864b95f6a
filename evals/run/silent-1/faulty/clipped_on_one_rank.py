"""Gradients are clipped on rank 0 only, after they were averaged: the ranks part."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DistributedDataParallel(nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.Linear(16, 4)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(30):
    x, y = torch.randn(16, 8), torch.randint(4, (16,))
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    if rank == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 0.01)
    optimizer.step()  # run: ranks-diverge
dist.destroy_process_group()
