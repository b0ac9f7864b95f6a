# 4 ranks on 2 machines; both ranks are tested; a variable that is only named local_rank
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, local_rank = dist.get_rank(), int(os.environ["LOCAL_RANK"])
if local_rank == 0 and rank == 0:
    torch.save(torch.ones(3), "model.pt")
dist.barrier()
local_rank = dist.get_rank()
if local_rank == 0:
    torch.save(torch.ones(3), "other.pt")
dist.barrier()
