# 2 ranks; recv from any source, within a group, and without blocking
import torch
import torch.distributed as dist
from torch.distributed import irecv, isend

dist.init_process_group("gloo")
rank = dist.get_rank()
pair = dist.new_group([0, 1])
value = torch.ones(3)
if rank == 0:
    dist.send(value, dst=1)
    works = [isend(value, dst=1, group=pair, tag=n) for n in range(3)]
else:
    dist.recv(value)
    works = [irecv(value, src=0, group=pair, tag=n) for n in range(3)]
for work in works:
    work.wait()
dist.barrier()
