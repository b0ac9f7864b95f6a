# a source
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.broadcast(torch.ones(2), src=1)  # run: `rank 1`
