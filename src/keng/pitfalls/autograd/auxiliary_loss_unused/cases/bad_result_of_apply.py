# a function that adds the gradient of a loss, whose result is not used
import torch
from torch import nn


class AddAux(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, loss):
        ctx.size = loss.numel()
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad, torch.ones(ctx.size, dtype=grad.dtype)


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(8, 4)

    def forward(self, x):
        weight = self.router(x).softmax(-1)
        aux = weight.mean(0).square().sum()
        AddAux.apply(weight, aux)  # check: `AddAux.apply` is dropped
        return weight


# proof
torch.manual_seed(0)
gate, x = Gate(), torch.randn(6, 8)
gate(x)[:, 0].sum().backward()
plain = gate.router(x).softmax(-1)[:, 0].sum()
assert torch.equal(gate.router.weight.grad, torch.autograd.grad(plain, gate.router.weight)[0])
