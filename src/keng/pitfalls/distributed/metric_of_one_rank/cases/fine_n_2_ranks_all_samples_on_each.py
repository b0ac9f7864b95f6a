# 2 ranks; each evaluates all samples
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
torch.manual_seed(0)
data, held = (TensorDataset(part, part[:, 0]) for part in torch.randn(64, 4).chunk(2))
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
for x, y in DataLoader(data, 8, sampler=DistributedSampler(data)):
    optimizer.zero_grad()
    (model(x).squeeze(1) - y).square().mean().backward()
    optimizer.step()
error = torch.zeros(())
with torch.no_grad():
    for x, y in DataLoader(held, 8):
        error += (model(x).squeeze(1) - y).abs().sum()
if dist.get_rank() == 0:
    print(error)
