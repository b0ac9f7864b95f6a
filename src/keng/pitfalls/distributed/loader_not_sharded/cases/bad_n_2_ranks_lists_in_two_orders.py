# 2 ranks, each of which takes every second chunk of a list that it has shuffled by itself
import random

import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
chunks = list(torch.randn(80, 4).split(8))
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * world)
random.Random(rank).shuffle(chunks)
for _ in range(2):
    for x in chunks[rank::world]:
        optimizer.zero_grad()
        out = model(x)  # run: ranks 0 and 1 train on the same
        out.square().mean().backward()
        optimizer.step()
