# 2 ranks, one split for all of which each takes its share of the rows
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset, random_split

dist.init_process_group("gloo")
data = TensorDataset(torch.arange(256.0).view(64, 4) / 256)
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
train, valid = random_split(data, [48, 16])
train, valid = Subset(train, range(rank, 48, world)), Subset(valid, range(rank, 16, world))
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
for epoch in range(2):
    for (x,) in DataLoader(train, batch_size=8):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    with torch.no_grad():
        for (x,) in DataLoader(valid, batch_size=8):
            model(x).square().mean()
