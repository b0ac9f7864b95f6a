# 2 ranks; each rank makes the same call on a separate line, or in a separate group
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
groups = [dist.new_group([0]), dist.new_group([1])]
weight = torch.full((4,), float(rank))
if rank == 0:
    dist.broadcast(weight, src=0)
else:
    received = torch.zeros(4)
    dist.broadcast(received, src=0)
if rank != 0:
    dist.barrier()
if rank == 0:
    dist.all_reduce(weight, group=groups[0])
    dist.barrier()
dist.barrier()
