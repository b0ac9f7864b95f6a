# started without torchrun
import torch.distributed as dist

dist.init_process_group("gloo")  # run: `RANK is not set`
