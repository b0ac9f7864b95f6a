# argument: start_powerSGD_iter=1
from torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook import PowerSGDState

state = PowerSGDState(process_group=None, matrix_approximation_rank=1, start_powerSGD_iter=1)
