"""Validation records a graph: class Trainer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model):
        self.model, self.loss = model, nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def train(self, loader):
        self.model.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            self.loss(self.model(x), y).backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        total = 0.0
        for x, y in loader:
            loss = self.loss(self.model(x), y)
            total += loss.item()
        return total


torch.manual_seed(0)
data = TensorDataset(torch.randn(128, 8), torch.randint(3, (128,)))
train, val = DataLoader(data, batch_size=16, shuffle=True), DataLoader(data, batch_size=32)
trainer = Trainer(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3)))
for epoch in range(3):
    trainer.train(train)
    trainer.validate(val)
