# two dtypes
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = nn.Sequential(nn.Linear(4, 4).bfloat16(), nn.Linear(4, 4))
fully_shard(model)
model(torch.ones(1, 4))  # run: `one dtype`
