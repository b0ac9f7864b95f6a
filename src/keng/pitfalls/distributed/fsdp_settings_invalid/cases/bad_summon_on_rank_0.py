# an option of FullyShardedDataParallel does not go with another, or with the model
# needs: cuda
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel

dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
model = torch.nn.Linear(4, 2).cuda()
model = FullyShardedDataParallel(model)
with FullyShardedDataParallel.summon_full_params(model, rank0_only=True):
    print(model.weight.mean())
