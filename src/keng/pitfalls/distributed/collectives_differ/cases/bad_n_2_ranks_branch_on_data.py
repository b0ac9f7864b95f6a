# 2 ranks, a branch on the data
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
value = torch.tensor([float(dist.get_rank())])
if value.item() > 0:
    dist.all_reduce(value)
else:
    dist.barrier()  # run: rank 1 is in all_reduce
