# 4 ranks, the norm is summed over all ranks and divided by the copies
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("replicate", "shard"))
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
fully_shard(model, mesh=mesh)
optimizer = torch.optim.AdamW(model.parameters())
torch.manual_seed(dist.get_rank())
for step in range(6):
    optimizer.zero_grad()
    model(torch.randn(4, 8)).square().mean().backward()
    local = [p.grad.to_local() for p in model.parameters()]
    total = sum(g.square().sum() for g in local)
    dist.all_reduce(total)
    norm = (total / 2).sqrt()
    for g in local:
        g.mul_(torch.clamp(0.5 / (norm + 1e-6), max=1.0))
    optimizer.step()
dist.barrier()
