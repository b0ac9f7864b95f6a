# 2 ranks; each takes a share of its own
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

dist.init_process_group("gloo")
data = TensorDataset(torch.randn(24, 4), torch.randn(24, 1))
rank, world_size = dist.get_rank(), dist.get_world_size()
share = Subset(data, range(rank, 24, world_size))
loader = DataLoader(share, batch_size=4 // world_size, shuffle=True)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for x, y in loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
