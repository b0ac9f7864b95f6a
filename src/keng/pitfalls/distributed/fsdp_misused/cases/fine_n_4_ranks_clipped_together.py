# 4 ranks, clipped by torch, by squares summed over the ranks, and by value
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
torch.manual_seed(0)
model = fully_shard(nn.Linear(8, 8))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
torch.manual_seed(dist.get_rank())
for step in range(6):
    optimizer.zero_grad()
    model(torch.randn(8, 8) * torch.arange(8)).square().mean().backward()
    grads = [p.grad.to_local() for p in model.parameters()]
    if step < 2:
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    elif step < 4:
        total = sum(g.square().sum() for g in grads)
        dist.all_reduce(total)
        norm = total.sqrt()
        for g in grads:
            g.mul_((0.1 / (norm + 1e-6)).clamp(max=1.0))
    else:
        for g in grads:
            g.clamp_(-0.01, 0.01)
    optimizer.step()
