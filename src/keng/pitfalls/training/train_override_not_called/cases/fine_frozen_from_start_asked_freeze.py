# frozen from the start; configured to freeze nothing; an override that only prints; one that cannot be copied
import threading

import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, frozen, early):
        super().__init__()
        self.stages, self.frozen = nn.ModuleList(nn.Linear(4, 4) for _ in range(3)), frozen
        if early:
            self.freeze()

    def freeze(self):
        for stage in self.stages[: self.frozen]:
            stage.eval()
            stage.requires_grad_(False)

    def train(self, mode=True):
        super().train(mode)
        self.freeze()
        return self

    def forward(self, x):
        for stage in self.stages:
            x = stage(x).relu()
        return x


class Telling(nn.Linear):
    lock = None

    def train(self, mode=True):
        print("mode", mode)
        return super().train(mode)


class Locked(Telling):
    def __init__(self):
        super().__init__(4, 4)
        self.lock = threading.Lock()


torch.manual_seed(0)
for body in (Backbone(2, early=True), Backbone(0, early=False), Telling(4, 4), Locked()):
    model = nn.Sequential(body, nn.Linear(4, 1))
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for step in range(5):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
