# the good program of the page with its training
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.spare = nn.Linear(4, 2), nn.Linear(4, 2)
        self.spare.requires_grad_(False)

    def forward(self, x):
        return self.used(x)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.parallel.DistributedDataParallel(Net())
for step in range(2):
    output = net(torch.ones(1, 4))
    output.sum().backward()
