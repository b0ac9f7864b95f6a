# nothing to return; zeros; declared as unused; changed on its way; a function that is not an autograd function
import torch
from torch.autograd import Function


class Stop(Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.n = n
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return (None,) * (ctx.n + 1)


class Step(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.zeros_like(x)


class Given(Function):
    @staticmethod
    def forward(ctx, x, gradient):
        ctx.save_for_backward(gradient)
        return x.clone()

    @staticmethod
    def backward(ctx, _grad):
        (gradient,) = ctx.saved_tensors
        return gradient, None


class Scaled(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.clone()

    @staticmethod
    def backward(ctx, *grads):
        return ctx.factor * grads[0], None


class Told(Function):
    @staticmethod
    def forward(ctx, x, tell):
        ctx.tell = tell
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return ctx.tell(), None


x = torch.ones(3, requires_grad=True)
Stop.apply(x, 1)
Step.apply(x).sum().backward()
Given.apply(x, torch.ones(3)).sum().backward()
Scaled.apply(x, 2.0).sum().backward()
Told.apply(x, lambda: None).sum().backward()
