# 2 ranks that both resume, model and optimizer
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
net = nn.Linear(4, 1)
before = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(3):
    before.zero_grad()
    (net(torch.randn(8, 4)) - 1).square().mean().backward()
    before.step()
saved = {"model": net.state_dict(), "optimizer": before.state_dict()}

model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
if saved:
    model.module.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
torch.manual_seed(rank)
for step in range(4):
    optimizer.zero_grad()
    (model(torch.randn(8, 4)) - 1).square().mean().backward()
    optimizer.step()
