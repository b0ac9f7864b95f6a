"""Adversarial training and evaluation under attack: gradients are wanted in eval mode."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.norm, self.out = nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Linear(16, 3)

    def forward(self, x):
        return self.out(torch.relu(self.norm(self.fc(x))))


def attack(model, x, y, size=0.1):
    model.eval()
    x = x.clone().requires_grad_(True)
    (gradient,) = torch.autograd.grad(F.cross_entropy(model(x), y), x)
    return (x + size * gradient.sign()).detach()


def train(model, loader, optimizer):
    for x, y in loader:
        x = attack(model, x, y)
        model.train()
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def robust_accuracy(model, loader):
    correct = 0
    for x, y in loader:
        x = attack(model, x, y)
        with torch.no_grad():
            correct += (model(x).argmax(1) == y).sum().item()
    return correct


net = Net()
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(3, (64,))), batch_size=16)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    train(net, loader, optimizer)
    robust_accuracy(net, loader)
