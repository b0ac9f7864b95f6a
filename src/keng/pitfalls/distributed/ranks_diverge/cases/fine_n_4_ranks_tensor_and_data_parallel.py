# 4 ranks: tensor parallelism in pairs, and averaging by hand between the pairs
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

dist.init_process_group("gloo")
mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
torch.manual_seed(0)
model = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 16), nn.Dropout(0.1), nn.Linear(16, 8))
parallelize_module(model, mesh["tp"], {"1": ColwiseParallel(), "3": RowwiseParallel()})
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, foreach=False)
data = torch.Generator().manual_seed(mesh["dp"].get_local_rank())
for step in range(4):
    x = torch.randn(4, 8, generator=data)
    optimizer.zero_grad()
    (model(x) - x).square().mean().backward()
    for parameter in model.parameters():
        grad = parameter.grad
        grad = grad.to_local() if hasattr(grad, "to_local") else grad
        dist.all_reduce(grad, group=mesh["dp"].get_group())
        grad /= 2
    optimizer.step()
