# 4 ranks, gradients clipped by the norm of each rank's shards
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
torch.manual_seed(0)
model = fully_shard(nn.Linear(8, 8))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
torch.manual_seed(dist.get_rank())
for step in range(4):
    optimizer.zero_grad()
    model(torch.randn(8, 8) * torch.arange(8)).square().mean().backward()
    grads = [p.grad.to_local() for p in model.parameters()]
    total = sum(g.square().sum() for g in grads).sqrt()
    for g in grads:
        g.mul_((0.1 / (total + 1e-6)).clamp(max=1.0))
    optimizer.step()  # run: each rank multiplies by a factor of its own
