# of another shape
import torch


class Total(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum(0)

    @staticmethod
    def backward(ctx, grad):
        return grad.new_ones(7)


x = torch.ones(2, 3, requires_grad=True)
Total.apply(x).sum().backward()  # run: `[7]`
