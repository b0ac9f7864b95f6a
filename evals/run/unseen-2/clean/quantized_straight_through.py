"""Weights and activations are rounded in forward, and gradients pass as if they were not."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


def rounded(x, scale, low, high):
    steps = torch.clamp(x / scale, low, high)
    steps = steps + (steps.round() - steps).detach()
    return steps * scale


class Quantized(nn.Linear):
    def __init__(self, width, out):
        super().__init__(width, out)
        self.register_buffer("reach", torch.ones(()))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.reach.mul_(0.9).add_(0.1 * x.abs().max())
        x = rounded(x, self.reach / 127, -128, 127)
        scale = self.weight.detach().abs().amax(1, keepdim=True) / 7
        return F.linear(x, rounded(self.weight, scale, -8, 7), self.bias)


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
model = nn.Sequential(Quantized(64, 48), nn.ReLU(), Quantized(48, 10))
optimizer = torch.optim.RMSprop(model.parameters(), 1e-3)
for epoch in range(4):
    model.train()
    for part in torch.randperm(1500).split(100):
        optimizer.zero_grad()
        loss = F.multi_margin_loss(model(x[part]), y[part])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(f"{(model(x[1500:]).argmax(1) == y[1500:]).float().mean().item():.3f}")
show(model)
