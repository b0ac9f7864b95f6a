"""A small trainer that I reuse between projects."""
from pathlib import Path

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, width), nn.BatchNorm1d(width), nn.ReLU())
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(self.drop(self.body(x)))


class Trainer:
    def __init__(self, model, train_loader, val_loader, epochs=10):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.epochs = epochs
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
        self.scheduler = ReduceLROnPlateau(self.optimizer, patience=2)
        self.best = float('inf')

    def fit(self):
        self.model.train()
        for epoch in range(self.epochs):
            running = 0.0
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                running += loss.item()
            val = self.evaluate()
            self.scheduler.step()  # check: scheduler-before-optimizer
            if val < self.best:
                self.best = val
                torch.save(self.model, Path('best.pt'))  # check: whole-model-pickled

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()  # check: train-mode-not-restored
        total, n = 0.0, 0
        for x, y in self.val_loader:
            total += self.criterion(self.model(x), y).item() * len(x)
            n += len(x)
        return total / n


if __name__ == '__main__':
    data = TensorDataset(torch.randn(300, 16), torch.randint(3, (300,)))
    Trainer(Net(32), DataLoader(data, 32, shuffle=True, drop_last=True), DataLoader(data, 64)).fit()
