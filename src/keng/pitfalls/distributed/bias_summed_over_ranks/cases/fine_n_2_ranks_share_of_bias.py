# 2 ranks; each adds its share of the bias; the outputs of equal models are averaged
import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F


class Summed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Rows(nn.Module):
    def __init__(self, whole, rank):
        super().__init__()
        self.rank = rank
        self.weight = nn.Parameter(whole.weight.detach().chunk(2, 1)[rank].clone())
        self.bias = nn.Parameter(whole.bias.detach().clone())

    def forward(self, x):
        part = x.chunk(2, 1)[self.rank]
        return Summed.apply(F.linear(part, self.weight, self.bias / 2))


class Same(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)

    def forward(self, x):
        return Summed.apply(self.layer(x)) / 2


dist.init_process_group("gloo")
torch.manual_seed(0)
for model in Rows(nn.Linear(8, 4), dist.get_rank()), Same():
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        x = torch.randn(16, 8)
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
