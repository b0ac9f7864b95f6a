# 2 ranks, a group is made by rank 0 alone
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
if dist.get_rank() == 0:
    workers = dist.new_group([1])
everyone = dist.new_group([0, 1])  # run: the ranks call it by different names
dist.all_reduce(torch.ones(2), group=everyone)
