# A function in Python stands in a graph that is to do without Python
import io

import torch
from torch import nn


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Net(nn.Module):
    def forward(self, x):
        return Double.apply(x)


traced = torch.jit.trace(Net(), torch.ones(2))
torch.jit.save(traced, io.BytesIO())  # run: `Double`
