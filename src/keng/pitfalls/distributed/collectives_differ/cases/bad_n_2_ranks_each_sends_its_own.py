# 2 ranks, each of which broadcasts its own weights
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
weights = torch.full((4,), float(rank))
dist.broadcast(weights, src=rank)  # run: root rank 0 on one rank but root rank 1
