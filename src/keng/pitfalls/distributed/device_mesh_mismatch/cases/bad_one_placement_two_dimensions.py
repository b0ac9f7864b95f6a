# one placement for two dimensions
import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
mesh = init_device_mesh("cpu", (1, 1))
x = distribute_tensor(torch.ones(2, 2), mesh, [Shard(0)])  # run: `2 dimensions`
