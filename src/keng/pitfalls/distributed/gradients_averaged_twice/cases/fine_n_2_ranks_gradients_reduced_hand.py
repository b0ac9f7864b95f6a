# 2 ranks; only gradients reduced by hand are divided
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(0)
model, plain = nn.parallel.DistributedDataParallel(nn.Linear(4, 1)), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*model.parameters(), *plain.parameters()], lr=0.1)
x = torch.randn(8, 4)
for step in range(3):
    optimizer.zero_grad()
    (model(x) + plain(x)).square().mean().backward()
    for parameter in plain.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
