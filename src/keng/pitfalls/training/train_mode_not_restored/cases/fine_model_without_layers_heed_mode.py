# a model without layers that depend on the mode; batch norm frozen on purpose; the end of training
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(list(torch.randn(16, 4)), batch_size=8)
plain = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD([*plain.parameters(), *model.parameters()], lr=0.1)
for epoch in range(2):
    for x in loader:
        optimizer.zero_grad()
        plain(x).square().mean().backward()
        optimizer.step()
    plain.eval()
for epoch in range(2):
    model.eval()
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
model.eval()
