# a dimension that it has not
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1,))
x = distribute_tensor(torch.rand(4, 3), mesh, [Shard(3)])  # run: `from 0 to 1`
