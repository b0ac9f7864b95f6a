# 2 ranks; in DistributedDataParallel: means that are summed over the ranks, those that only evaluation uses, and counts that nothing uses
import torch
import torch.distributed as dist
from torch import nn


class Centre(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        if self.training:
            mean = x.mean(0).detach()
            dist.all_reduce(mean)
            self.mean.mul_(0.9).add_(mean / dist.get_world_size(), alpha=0.1)
            self.seen += x.norm().detach()
        return x - self.mean


class BatchCentre(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x):
        if self.training:
            mean = x.mean(0)
            self.mean += 0.1 * (mean.detach() - self.mean)
        else:
            mean = self.mean
        return x - mean


dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
net = nn.Sequential(Centre(), nn.Linear(4, 4), BatchCentre(), nn.Linear(4, 1))
model = nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(rank)
for step in range(4):
    x = torch.randn(8, 4)
    optimizer.zero_grad()
    (model(x) - 1).square().mean().backward()
    optimizer.step()
