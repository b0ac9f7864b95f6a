# the good program of the page with its training
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        x = checkpoint(self.fc, x, use_reentrant=False)
        return checkpoint(self.fc, x, use_reentrant=False)


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
net = nn.parallel.DistributedDataParallel(Net(), find_unused_parameters=True)
loss = net(torch.ones(1, 4, requires_grad=True)).sum()
loss.backward()
