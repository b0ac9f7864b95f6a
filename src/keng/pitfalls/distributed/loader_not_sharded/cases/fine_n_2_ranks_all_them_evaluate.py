# 2 ranks; all of them evaluate on the same data, or train on one constant batch to measure time
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

dist.init_process_group("gloo")
batch_size = 8 // dist.get_world_size()
constant = DataLoader(TensorDataset(torch.ones(24, 4)), batch_size=batch_size)
held_out = DataLoader(TensorDataset(torch.arange(24.0).view(6, 4)), batch_size=2)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for (x,) in constant:
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    for (x,) in held_out:
        model(x)
