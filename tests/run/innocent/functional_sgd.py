"""Training by torch.func and by hand: no optimizer, no `.grad`."""

import torch
from torch import nn
from torch.func import functional_call, grad_and_value, vmap

torch.manual_seed(0)
model = nn.Linear(8, 1)
weights = {n: p.detach().clone() for n, p in model.named_parameters()}


def loss_of(weights, x, y):
    return (functional_call(model, weights, x) - y).square().mean()


for step in range(20):
    x, y = torch.randn(16, 8), torch.randn(16, 1)
    gradients, loss = grad_and_value(loss_of)(weights, x, y)
    weights = {n: w - 0.01 * gradients[n] for n, w in weights.items()}
per_sample = vmap(torch.func.grad(loss_of), in_dims=(None, 0, 0))(weights, x[:, None], y[:, None])

w = torch.zeros(8, 1, requires_grad=True)
for step in range(20):
    loss = (torch.randn(16, 8) @ w - 1).square().mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad.zero_()
