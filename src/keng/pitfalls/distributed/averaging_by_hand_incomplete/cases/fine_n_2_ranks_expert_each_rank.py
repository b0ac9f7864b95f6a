# 2 ranks; an expert of each rank's own beside what they share, and a model averaged now and then
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
shared, local = nn.Linear(4, 4), nn.Linear(4, 4)
torch.manual_seed(dist.get_rank())
expert = nn.Linear(4, 4)
model = nn.Sequential(shared, expert)
optimizer = torch.optim.SGD([*model.parameters(), *local.parameters()], lr=0.01)
for step in range(4):
    optimizer.zero_grad()
    x = torch.randn(8, 4)
    (model(x).square().mean() + local(x).square().mean()).backward()
    for parameter in shared.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
    if step % 2:
        for parameter in local.parameters():
            dist.all_reduce(parameter.data)
            parameter.data /= dist.get_world_size()
