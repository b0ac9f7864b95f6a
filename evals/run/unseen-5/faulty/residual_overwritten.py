"""The shortcut of a residual block is changed in place before it is added."""

import torch
import torch.nn.functional as F
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BasicBlock(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.bn1 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)

    def forward(self, x):
        identity = x
        out = self.conv1(self.relu(x))  # run: -
        out = self.conv2(self.relu(self.bn2(out)))
        out += identity
        return self.bn1(out)


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 16, 3, padding=1)
        self.layers = nn.Sequential(*(BasicBlock(16) for _ in range(3)))
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        return self.fc(F.adaptive_avg_pool2d(self.layers(self.stem(x)), 1).flatten(1))


torch.manual_seed(0)
digits = load_digits()
x = torch.tensor(digits.images).float()[:, None] / 16
y = torch.tensor(digits.target)
train_dl = DataLoader(TensorDataset(x[:1200], y[:1200]), 60, shuffle=True)
test_dl = DataLoader(TensorDataset(x[1200:], y[1200:]), 200)
net = ResNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=3)
for epoch in range(3):
    net.train()
    for xb, yb in train_dl:
        opt.zero_grad()
        F.cross_entropy(net(xb), yb).backward()
        opt.step()
    sched.step()
    net.eval()
    with torch.no_grad():
        right = sum((net(xb).argmax(1) == yb).sum().item() for xb, yb in test_dl)
    print(epoch, f"{right / len(test_dl.dataset):.3f}")
show(net)
