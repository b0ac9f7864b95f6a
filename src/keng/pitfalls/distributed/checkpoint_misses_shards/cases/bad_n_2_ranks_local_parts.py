# 2 ranks; what lies on rank 0 of each parameter is saved as a plain tensor
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo")
torch.manual_seed(0)
model = fully_shard(nn.Linear(8, 8))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * dist.get_world_size())
torch.manual_seed(dist.get_rank())
for step in range(2):
    optimizer.zero_grad()
    model(torch.randn(8, 8)).square().mean().backward()
    optimizer.step()
state = {name: tensor.to_local() for name, tensor in model.state_dict().items()}
if dist.get_rank() == 0:
    torch.save(state, "model.pt")  # run: one of two parts
