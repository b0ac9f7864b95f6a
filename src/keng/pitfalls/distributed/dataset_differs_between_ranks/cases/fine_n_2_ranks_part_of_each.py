# 2 ranks, each rank has its own part of the data and reads all of it
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
data = TensorDataset(torch.arange(256.0).view(64, 4)[rank::world] / 256)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * world)
for epoch in range(2):
    for (x,) in DataLoader(data, batch_size=4, shuffle=True):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
