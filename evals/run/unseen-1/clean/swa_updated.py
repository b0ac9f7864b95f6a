"""Averaged weights whose batch norms are counted anew before the evaluation."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.images).float()[:, None] / 16, torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), 100, shuffle=True)
model = nn.Sequential(
    nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 10)
)
averaged = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
schedule = SWALR(optimizer, swa_lr=0.02, anneal_epochs=1)
for epoch in range(4):
    for images, labels in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
    if epoch > 0:
        averaged.update_parameters(model)
        schedule.step()
update_bn(loader, averaged)
averaged.eval()
with torch.no_grad():
    print((averaged(x[1400:]).argmax(1) == y[1400:]).float().mean().item())
show(model, averaged)
