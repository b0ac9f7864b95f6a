# 2 ranks; a file of each rank's own, and what is no file at all
import io

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
torch.save(torch.ones(3), f"shard-{dist.get_rank()}.pt")
torch.save(torch.ones(3), io.BytesIO())
dist.barrier()
