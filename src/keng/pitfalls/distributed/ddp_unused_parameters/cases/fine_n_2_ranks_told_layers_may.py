# 2 ranks, with `find_unused_parameters=True`
import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x, kind):
        return self.second(x) if kind else self.first(x)


dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.parallel.DistributedDataParallel(Net(), find_unused_parameters=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(2):
    optimizer.zero_grad()
    net(torch.randn(2, 4), dist.get_rank()).sum().backward()
    optimizer.step()
