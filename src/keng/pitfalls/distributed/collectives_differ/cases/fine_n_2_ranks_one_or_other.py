# 2 ranks; one or the other sum, as the data has it, and a sum of the same in two arms
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
