# the result of apply is assigned or returned; a function that changes its argument in place
import torch
from torch import nn


class AddAux(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, loss):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad, torch.ones((), dtype=grad.dtype)


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.mark_dirty(x)
        ctx.factor = factor
        return x.mul_(factor)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(8, 4)

    def forward(self, x):
        weight = self.router(x).softmax(-1)
        weight = AddAux.apply(weight, weight.mean(0).square().sum())
        weight = weight.clone()
        Double.apply(weight, 2.0)
        return AddAux.apply(weight, weight.mean())


torch.manual_seed(0)
Gate()(torch.randn(6, 8)).sum().backward()
