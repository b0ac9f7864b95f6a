# a convolution by columns
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
model, mesh = nn.Sequential(nn.Conv2d(1, 1, 1)), init_device_mesh("cpu", (1,))
parallelize_module(model, mesh, {"0": ColwiseParallel()})  # run: `nn.Linear`
