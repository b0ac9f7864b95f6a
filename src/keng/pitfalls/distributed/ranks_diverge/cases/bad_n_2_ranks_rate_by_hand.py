# 2 ranks, gradients averaged by hand in one flat tensor, and a learning rate of each rank
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * (1 + rank))
torch.manual_seed(rank)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    flat = torch.cat([parameter.grad.flatten() for parameter in model.parameters()])
    dist.all_reduce(flat)
    sizes = [parameter.numel() for parameter in model.parameters()]
    for parameter, part in zip(model.parameters(), flat.split(sizes)):
        parameter.grad.copy_(part.view_as(parameter) / world)
    optimizer.step()  # run: `0.02` on rank 1
