# FSDP is given parameters that it cannot lay into one
# needs: cuda
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel

dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 2).cuda()
model.bias.requires_grad = False
model = FullyShardedDataParallel(model)
