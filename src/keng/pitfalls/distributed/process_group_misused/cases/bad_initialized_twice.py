# the process group is made a second time
import torch.distributed as dist

store = dist.HashStore()
dist.init_process_group("gloo", store=store, rank=0, world_size=1)
dist.init_process_group("gloo", store=store, rank=0, world_size=1)  # run: `is_initialized`
