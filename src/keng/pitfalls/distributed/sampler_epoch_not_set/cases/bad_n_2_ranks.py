# 2 ranks
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
data = TensorDataset(torch.arange(16.0).view(8, 2))
sampler = DistributedSampler(data)  # check: no epoch is ever set
loader = DataLoader(data, batch_size=4 // dist.get_world_size(), sampler=sampler)
model = nn.parallel.DistributedDataParallel(nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for epoch in range(3):
    for (x,) in loader:  # run: three passes in the same order
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
