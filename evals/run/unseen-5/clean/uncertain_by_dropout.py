"""Monte Carlo dropout: evaluation keeps dropout on, batch normalization off, and averages passes."""

import torch
import torch.nn.functional as F
from digest import show
from sklearn.datasets import make_regression
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(10, 64), nn.Linear(64, 64), nn.Linear(64, 1)
        self.bn = nn.BatchNorm1d(64)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        x = self.drop(F.relu(self.bn(self.fc1(x))))
        x = F.dropout(F.relu(self.fc2(x)), 0.1, training=self.training)
        return self.fc3(x).squeeze(-1)


def enable_dropout(model):
    for m in model.modules():
        if isinstance(m, nn.Dropout):
            m.train()


torch.manual_seed(0)
x, y = make_regression(600, 10, noise=5.0, random_state=0)
x, y = torch.tensor(x).float(), torch.tensor(y).float()
y = y / y.std()
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
for epoch in range(6):
    net.train()
    for idx in torch.randperm(500).split(50):
        loss = F.mse_loss(net(x[idx]), y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    enable_dropout(net)
    with torch.no_grad():
        passes = torch.stack([net(x[500:]) for _ in range(10)])
    error = F.mse_loss(passes.mean(0), y[500:])
    scheduler.step(error)
    print(epoch, f"{loss.item():.4f} {error.item():.4f} {passes.std(0).mean().item():.4f}")
show(net)
