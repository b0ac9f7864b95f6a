# 2 ranks, each normalises a part of the sequence, and the gradients of the norm are summed
import torch
import torch.distributed as dist
from torch import nn


class Summed(torch.autograd.Function):
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
        torch.manual_seed(0)
        self.norm = nn.LayerNorm(64)
        self.up = nn.Parameter(torch.randn(64, 64).chunk(2)[dist.get_rank()].clone() / 8)

    def forward(self, x):
        return Summed.apply((self.norm(x) @ self.up.t()).mean(0))


dist.init_process_group("gloo")
rank = dist.get_rank()
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(8):
    x = torch.randn(8, 64, generator=torch.Generator().manual_seed(step)).chunk(2)[rank]
    optimizer.zero_grad()
    net(x).square().mean().backward()
    for parameter in net.norm.parameters():
        dist.all_reduce(parameter.grad)
    optimizer.step()
