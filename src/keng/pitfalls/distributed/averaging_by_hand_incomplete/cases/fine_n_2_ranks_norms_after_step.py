# 2 ranks, the norms of the averaged gradients are summed after the step
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 8))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(4):
    optimizer.zero_grad()
    model(torch.randn(8, 8)).square().mean().backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
    norms = torch.stack([parameter.grad.norm() for parameter in model.parameters()])
    dist.all_reduce(norms)
