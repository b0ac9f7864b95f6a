# 2 ranks; local SGD, which averages the models now and then, by intent
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import post_localSGD_hook as local

dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1))
alone = [dist.new_group([rank]) for rank in range(2)][dist.get_rank()]
state = local.PostLocalSGDState(None, alone, start_localSGD_iter=0)
model.register_comm_hook(state, local.post_localSGD_hook)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
