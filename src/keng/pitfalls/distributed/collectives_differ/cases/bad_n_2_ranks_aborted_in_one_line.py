# 2 ranks whose tensors have other sizes in one line, which gloo answers by ending a process
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
sizes = [50_000, 4] if dist.get_rank() == 0 else [4, 50_000]
for size in sizes:
    dist.all_reduce(torch.ones(size))  # run: their tensors have different sizes
