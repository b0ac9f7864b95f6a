# 2 ranks; batch norm statistics of each rank, and validation through `model.module`
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
model = nn.parallel.DistributedDataParallel(net, broadcast_buffers=False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(32, 4)).square().mean().backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    model.module(torch.randn(8, 4))
if dist.get_rank() == 0:
    model.module.load_state_dict(net.state_dict())
