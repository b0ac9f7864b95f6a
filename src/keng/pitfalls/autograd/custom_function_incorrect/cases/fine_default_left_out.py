# an argument that apply is not given needs no gradient
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, shift=0.0):
        ctx.factor = factor
        return x * factor + shift

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


x = torch.ones(3, requires_grad=True)
Scale.apply(x, 2.0).sum().backward()
