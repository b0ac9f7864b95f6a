# 2 ranks; the other saves are for a program of one process
import torch
import torch.distributed as dist
from torch import nn


def is_distributed():
    return dist.is_available() and dist.is_initialized()


dist.init_process_group("gloo")
model = nn.Linear(4, 1)
if is_distributed():
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")
else:
    torch.save(model.state_dict(), "model.pt")
if not dist.is_initialized():
    torch.save(model.state_dict(), "last.pt")
dist.barrier()
