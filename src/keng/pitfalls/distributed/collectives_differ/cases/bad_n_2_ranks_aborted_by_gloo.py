# 2 ranks in two sums of different sizes, which gloo answers by ending a process
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
if torch.rand(1, generator=torch.Generator().manual_seed(dist.get_rank())).item() < 0.6:
    dist.all_reduce(torch.ones(50_000))  # run: the ranks are in different calls
else:
    dist.all_reduce(torch.ones(4))  # run: the ranks are in different calls
