# 2 ranks, each parameter steps in a hook that runs before DistributedDataParallel averages its gradient
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)))
optimizers = {p: torch.optim.SGD([p], lr=0.01) for p in net.parameters()}


def update(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()


for parameter in net.parameters():
    parameter.register_post_accumulate_grad_hook(update)  # run: steps within `backward()`
for step in range(8):
    net(torch.randn(2, 4)).square().mean().backward()
dist.destroy_process_group()
