# another part of a pipeline puts the gradient into the context, or keeps it for this function
import torch
from torch.autograd import Function


class Portal:
    def __init__(self):
        self.gradient = torch.ones(2)

    def use_grad(self):
        return self.gradient


class Resume(Function):
    @staticmethod
    def forward(ctx, x):
        return torch.tensor(1.0)

    @staticmethod
    def backward(ctx, grad):
        return ctx.grad_from_pipeline


class Through(Function):
    @staticmethod
    def forward(ctx, portal, x):
        ctx.portal = portal
        return torch.zeros(0)

    @staticmethod
    def backward(ctx, grad_phony):
        grad = ctx.portal.use_grad()
        return None, grad


x = torch.zeros(2, requires_grad=True)
resumed = Resume.apply(x)
resumed.grad_fn.grad_from_pipeline = torch.ones(2)
resumed.backward()
Through.apply(Portal(), x).sum().backward()
