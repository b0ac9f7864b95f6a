"""Outputs are collected for a metric together with their graphs: class Trainer."""

import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model, self.outputs = model, []
        self.optimizer = torch.optim.Adam(model.parameters())

    def training_step(self, x, y):
        out = self.model(x)
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(out, y).backward()
        self.optimizer.step()
        self.outputs = [out]


torch.manual_seed(0)
trainer = Trainer(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)))
for step in range(60):
    trainer.training_step(torch.randn(16, 8), torch.randint(3, (16,)))
