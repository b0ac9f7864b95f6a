# 2 ranks, which deal one list in each pass
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
for number in range(3):
    random.Random(number).shuffle(chunks)
    for x in chunks[rank::world]:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
