# too early
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import PowerSGDState

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
state = PowerSGDState(None, start_powerSGD_iter=1)  # run: `start_powerSGD_iter=2`
