# 4 ranks, the norm of each rank's shards for the gradient's, too small to clip by
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
    model(torch.randn(8, 8)).square().mean().backward()
    norm = torch.stack([p.grad.to_local().norm() for p in model.parameters()]).norm()
    optimizer.step()  # run: `norm` is of this rank's shards
