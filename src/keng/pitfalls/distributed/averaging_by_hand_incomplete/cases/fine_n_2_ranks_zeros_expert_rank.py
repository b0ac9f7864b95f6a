# 2 ranks; zeros for the expert that a rank has not chosen
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(dist.get_rank())
for step in range(3):
    optimizer.zero_grad()
    expert = model[1 + (step + dist.get_rank()) % 2]
    expert(model[0](torch.randn(8, 4))).square().mean().backward()
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
