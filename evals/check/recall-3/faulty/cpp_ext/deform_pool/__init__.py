import torch
from torch import nn
from torch.autograd import Function

from . import _C


class _Pool(Function):
    @staticmethod
    def forward(ctx, input, offset, size):
        ctx.save_for_backward(input, offset)
        return _C.forward(input, offset.contiguous(), size)

    @staticmethod
    def backward(ctx, grad):
        return (*_C.backward(grad.contiguous(), *ctx.saved_tensors), None)


class DeformPool(nn.Module):
    def __init__(self, channels, size):
        self.size = size  # check: module-init-not-called
        self.offset = nn.Conv2d(channels, channels, size, stride=size)

    def forward(self, x):
        return _Pool.apply(x, self.offset(x), self.size)
