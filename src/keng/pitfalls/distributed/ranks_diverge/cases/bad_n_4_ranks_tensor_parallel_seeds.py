# 4 ranks of a tensor-parallel group, with a seed of each rank's own for the whole model
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

dist.init_process_group("gloo")
mesh = init_device_mesh("cpu", (dist.get_world_size(),))
torch.manual_seed(dist.get_rank())
model = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8), nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
parallelize_module(model, mesh, {"2": ColwiseParallel(), "4": RowwiseParallel()})
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, foreach=False)
data = torch.Generator().manual_seed(0)
for step in range(3):
    x = torch.randn(4, 8, generator=data)
    optimizer.zero_grad()
    (model(x) - x).square().mean().backward()
    optimizer.step()  # run: what is not sharded differs
