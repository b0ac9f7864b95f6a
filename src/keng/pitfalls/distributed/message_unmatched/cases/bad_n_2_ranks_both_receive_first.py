# 2 ranks, both receive first
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
other = 1 - dist.get_rank()
mine, theirs = torch.ones(3), torch.empty(3)
dist.recv(theirs, src=other)  # run: neither has sent anything
dist.send(mine, dst=other)
