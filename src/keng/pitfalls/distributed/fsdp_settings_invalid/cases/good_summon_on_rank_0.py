# an option of FullyShardedDataParallel does not go with another, or with the model
# needs: cuda
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model = fully_shard(torch.nn.Linear(4, 2))
print(model.weight.full_tensor().mean())
dist.destroy_process_group()
