# a tensor for a list
import torch
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
x = torch.ones(2)
dist.all_gather(x, x)  # run: `a list of tensors`
