# 2 ranks, a layer split by hand, whose parts draw by a state of their own and the rest by a common one
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

    def forward(self, x, own):
        mask = (torch.rand(len(x), 4, generator=own) > 0.1) / 0.9
        y = Sum.apply(self.back(self.part(x) * mask)) + self.bias
        return nn.functional.dropout(y, 0.5, self.training)


dist.init_process_group("gloo")
torch.manual_seed(0)
model = Net()
with torch.no_grad():
    model.part.weight.add_(dist.get_rank())
    model.back.weight.add_(dist.get_rank())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
own = torch.Generator().manual_seed(dist.get_rank())
data = torch.Generator().manual_seed(0)
for step in range(5):
    optimizer.zero_grad()
    model(torch.randn(4, 8, generator=data), own).square().mean().backward()
    optimizer.step()
