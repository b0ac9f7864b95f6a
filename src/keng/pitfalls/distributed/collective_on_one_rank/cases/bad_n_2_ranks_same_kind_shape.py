# 2 ranks, of the same kind and shape as the next
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
gradient = torch.ones(4)
for step in range(3):
    if rank == 0 and step == 1:
        logged = torch.full((4,), 100.0)
        dist.all_reduce(logged)  # check: is added to the gradient of rank 1
    dist.all_reduce(gradient)
