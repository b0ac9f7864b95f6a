# 4 ranks on 2 machines; one file per machine
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
if int(os.environ["LOCAL_RANK"]) == 0:
    torch.save(torch.ones(3), f"cache-{dist.get_rank()}.pt")
dist.barrier()
