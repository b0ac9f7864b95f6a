# 2 ranks; objects of different sizes are gathered, and each send has its recv
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
names = [None, None]
dist.all_gather_object(names, "x" * (rank + 1))
if rank == 0:
    dist.send(torch.ones(3), dst=1)
else:
    dist.recv(torch.zeros(3), src=0)
dist.gather_object(rank, names if rank == 0 else None)
