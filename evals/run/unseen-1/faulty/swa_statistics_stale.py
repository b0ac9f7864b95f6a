"""An average of weights is evaluated with the statistics of the last weights alone."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel

torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.images).float()[:, None] / 16, torch.tensor(digits.target)
model = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
    nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 10),
)  # fmt: skip
averaged = AveragedModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
schedule = SWALR(optimizer, swa_lr=0.05, anneal_epochs=2)
for epoch in range(6):
    model.train()
    for part in torch.randperm(1500).split(100):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[part]), y[part]).backward()
        optimizer.step()
    if epoch >= 2:
        averaged.update_parameters(model)
        schedule.step()
averaged.eval()
with torch.no_grad():
    guessed = averaged(x[1500:]).argmax(1)  # run: averaged-statistics-stale
print((guessed == y[1500:]).float().mean().item())
show(model, averaged)
