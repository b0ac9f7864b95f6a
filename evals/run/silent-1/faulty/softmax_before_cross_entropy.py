"""Probabilities are given to cross-entropy: class Trainer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        return self.softmax(self.net(x))


class Trainer:
    def __init__(self, model):
        self.model, self.loss = model, nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters())

    def run(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            self.loss(self.model(x), y).backward()  # run: softmax-before-cross-entropy
            self.optimizer.step()


torch.manual_seed(0)
data = TensorDataset(torch.randn(256, 8), torch.randint(4, (256,)))
Trainer(Classifier()).run(DataLoader(data, batch_size=16))
