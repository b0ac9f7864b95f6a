# 3 ranks; all create the group
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
pair = dist.new_group([0, 1])
everyone = dist.new_group([0, 1, 2])
if dist.get_rank() < 2:
    dist.all_reduce(torch.ones(2), group=pair)
dist.all_reduce(torch.ones(2), group=everyone)
