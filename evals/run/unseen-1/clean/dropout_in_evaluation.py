"""Uncertainty by dropout: in evaluation the dropout layers alone are in training mode."""

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn

torch.manual_seed(0)
data = load_diabetes()
x, y = torch.tensor(data.data).float() * 20, (torch.tensor(data.target).float() - 152) / 77
model = nn.Sequential(
    nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1)
)
optimizer = torch.optim.Adam(model.parameters(), 3e-3)
for _ in range(80):
    part = torch.randint(400, (64,))
    optimizer.zero_grad()
    nn.functional.huber_loss(model(x[part]).squeeze(-1), y[part]).backward()
    optimizer.step()
model.eval()
for layer in model.modules():
    if isinstance(layer, nn.Dropout):
        layer.train()
with torch.no_grad():
    drawn = torch.stack([model(x[400:]) for _ in range(30)])
print(drawn.mean().item(), drawn.std(0).mean().item())
show(model)
