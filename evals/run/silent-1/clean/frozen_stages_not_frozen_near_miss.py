"""Stages are frozen in an overridden `train()` that nobody calls: they learn along."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Backbone(nn.Module):
    def __init__(self, frozen_stages=1):
        super().__init__()
        self.stages = nn.ModuleList([nn.Linear(8, 8), nn.Linear(8, 8)])
        self.norm = nn.BatchNorm1d(8)
        self.frozen_stages = frozen_stages
        self.freeze()

    def freeze(self):
        for stage in self.stages[: self.frozen_stages]:
            stage.eval()
            for parameter in stage.parameters():
                parameter.requires_grad = False

    def train(self, mode=True):
        super().train(mode)
        self.freeze()
        return self

    def forward(self, x):
        for stage in self.stages:
            x = stage(x).relu()
        return self.norm(x)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone, self.head = Backbone(), nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.backbone(x))


model = Classifier()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(30):
    optimizer.zero_grad()
    F.cross_entropy(model(torch.randn(16, 8)), torch.randint(3, (16,))).backward()
    optimizer.step()
