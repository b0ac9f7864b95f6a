"""LBFGS with a closure on a network whose activation is a Function of its own."""

import torch
from digest import show
from torch import nn


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x, slope)
        return x * torch.sigmoid(slope * x)

    @staticmethod
    def backward(ctx, grad):
        x, slope = ctx.saved_tensors
        gate = torch.sigmoid(slope * x)
        bend = gate * (1 - gate)
        return grad * (gate + slope * x * bend), (grad * x * x * bend).sum().reshape(slope.shape)


class Layer(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.linear = nn.Linear(width, out)
        self.slope = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return Swish.apply(self.linear(x), self.slope)


torch.manual_seed(0)
x = torch.linspace(-2, 2, 80).unsqueeze(1)
y = torch.sin(3 * x) + 0.02 * torch.randn_like(x)
model = nn.Sequential(Layer(1, 16), Layer(16, 16), nn.Linear(16, 1))
optimizer = torch.optim.LBFGS(
    model.parameters(), max_iter=8, history_size=10, line_search_fn="strong_wolfe"
)


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    return loss


for turn in range(12):
    print(f"{optimizer.step(closure).item():.5f}")
show(model)
