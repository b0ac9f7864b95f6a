# 2 ranks, a layer split by hand, and dropout of its summed output by a random state of each rank's own
import torch
import torch.distributed as dist
from torch import nn


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = nn.Linear(8, 4, bias=False)
        self.back = nn.Linear(4, 8, bias=False)
        self.bias = nn.Parameter(torch.zeros(8))

    def forward(self, x):
        y = Sum.apply(self.back(self.part(x))) + self.bias
        return nn.functional.dropout(y, 0.5, self.training)


dist.init_process_group("gloo")
torch.manual_seed(0)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(dist.get_rank())
data = torch.Generator().manual_seed(0)
for step in range(5):
    optimizer.zero_grad()
    model(torch.randn(4, 8, generator=data)).square().mean().backward()
    optimizer.step()  # run: the bias is no longer the same
