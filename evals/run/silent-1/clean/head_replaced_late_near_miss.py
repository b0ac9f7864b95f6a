"""The head is replaced after the optimizer was made: class Trainer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(8, 16), nn.Linear(16, 100)

    def forward(self, x):
        return self.head(self.body(x).relu())


class Trainer:
    def __init__(self, model, classes):
        self.model, self.criterion = model, nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        model.head = nn.Linear(16, classes)
        self.optimizer.add_param_group({"params": model.head.parameters()})

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.step(x, y)

    def step(self, x, y):
        self.optimizer.zero_grad()
        self.criterion(self.model(x), y).backward()
        self.optimizer.step()


torch.manual_seed(0)
data = TensorDataset(torch.randn(128, 8), torch.randint(3, (128,)))
Trainer(Net(), classes=3).fit(DataLoader(data, batch_size=16), epochs=2)
