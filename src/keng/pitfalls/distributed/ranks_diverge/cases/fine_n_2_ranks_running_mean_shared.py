# 2 ranks, a running mean that is averaged, counts and queues of each rank's own, and batch norm
import torch
import torch.distributed as dist
from torch import nn


class Normalize(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("seen", torch.zeros(()))
        self.register_buffer("queue", torch.zeros(16, 4), persistent=False)

    def forward(self, x):
        if self.training:
            mean = x.mean(0).detach()
            dist.all_reduce(mean)
            self.mean += 0.1 * (mean / dist.get_world_size() - self.mean)
            self.seen += x.norm().detach()
            self.queue.copy_(torch.cat([x, self.queue])[:16])
        return x - self.mean - self.queue.mean()


dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
model = nn.Sequential(Normalize(), nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(rank)
for step in range(4):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= world
    optimizer.step()
