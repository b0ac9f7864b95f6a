# a list of layers
import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])
fully_shard(layers)  # run: `for each layer`
