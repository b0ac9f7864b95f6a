# a step in every eight; a rate of zero; a rate too small to see; gradients of zero; a fused step
import torch
from torch import nn


class Gathering(torch.optim.SGD):
    calls = 0

    def step(self, closure=None):
        self.calls += 1
        if self.calls % 8 == 0:
            super().step(closure)


torch.manual_seed(0)
model = nn.Linear(4, 1)
for kind, settings, scale in (
    (Gathering, {"lr": 0.01}, 1.0),
    (torch.optim.SGD, {"lr": 0.0}, 1.0),
    (torch.optim.SGD, {"lr": 1e-30}, 1.0),
    (torch.optim.SGD, {"lr": 0.01}, 0.0),
    (torch.optim.AdamW, {"lr": 1e-3, "fused": True}, 1.0),
):
    optimizer = kind(model.parameters(), **settings)
    for step in range(36):
        optimizer.zero_grad()
        (scale * model(torch.randn(8, 4)).square().mean()).backward()
        optimizer.step()
