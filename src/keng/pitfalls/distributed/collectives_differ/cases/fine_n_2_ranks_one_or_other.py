# 2 ranks; an all_reduce in both branches of a condition on data
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
none, some = torch.zeros(1), torch.ones(1)
for batch in range(4):
    if (batch + dist.get_rank()) % 2:
        dist.all_reduce(none)
        continue
    dist.all_reduce(some)
if dist.get_rank() == 0:
    dist.all_reduce(some)
    dist.all_reduce(none)
else:
    dist.all_reduce(some)
    dist.all_reduce(none)
