# 2 ranks; prototypes of classes that each rank moves by its own batch, in DistributedDataParallel
import torch
import torch.distributed as dist
from torch import nn


class Prototypes(nn.Module):
    def __init__(self, classes, dim):
        super().__init__()
        self.register_buffer("totals", torch.ones(classes, dim))
        self.register_buffer("counts", torch.ones(classes))

    @torch.no_grad()
    def move(self, features, labels):
        hot = nn.functional.one_hot(labels, len(self.counts)).to(features.dtype)
        self.totals.mul_(0.9).add_(hot.T @ features, alpha=0.1)
        self.counts.mul_(0.9).add_(hot.sum(0), alpha=0.1)

    def forward(self, features, labels):
        if self.training:
            self.move(features, labels)
        centres = self.totals / self.counts.unsqueeze(1)
        return torch.cdist(features, centres)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 4)
        self.prototypes = Prototypes(3, 4)

    def forward(self, x, labels):
        return -self.prototypes(self.body(x), labels)


dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(Net())  # run: `prototypes.totals`: the batches of the other ranks are lost
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
torch.manual_seed(rank)
for step in range(4):
    x, labels = torch.randn(8, 6), torch.randint(0, 3, (8,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x, labels), labels).backward()
    optimizer.step()
