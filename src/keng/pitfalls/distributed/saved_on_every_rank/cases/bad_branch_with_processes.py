# 2 ranks, in the branch that all of them take
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
model = nn.Linear(4, 1)
if dist.is_initialized():
    torch.save(model.state_dict(), "model.pt")  # check: `rank`
else:
    torch.save(model.state_dict(), "single.pt")
dist.barrier()
