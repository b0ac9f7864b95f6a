"""Averaged weights that nothing updates and that replace the trained ones, after MultimediaTechLab/YOLO issue 97."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
images = torch.rand(128, 3, 12, 12)
loader = DataLoader(TensorDataset(images, (images.mean((1, 2, 3)) * 60 - 28).long().clamp(0, 3)), 16, shuffle=True)


class ExponentialMovingAverage:
    def __init__(self, model, decay):
        self.model, self.decay = model, decay
        self.shadow = {n: p.clone().detach() for n, p in model.named_parameters()}

    @torch.no_grad()
    def update(self):
        for name, param in self.model.named_parameters():
            self.shadow[name].mul_(self.decay).add_(param, alpha=1 - self.decay)

    @torch.no_grad()
    def apply_shadow(self):
        for name, param in self.model.named_parameters():
            param.copy_(self.shadow[name])  # run: target-network-not-updated or average-never-updated


class ModelTrainer:
    def __init__(self):
        self.model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.SiLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 4))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.ema = ExponentialMovingAverage(self.model, decay=0.9)

    def train_one_batch(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def solve(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            total = sum(self.train_one_batch(x, y) for x, y in loader)
            self.ema.apply_shadow()
            print(epoch, total / len(loader))


trainer = ModelTrainer()
trainer.solve(6)
show(trainer.model)
