# a layer of dead units
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
with torch.no_grad():
    model[0].bias.fill_(-20.0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    (model(torch.randn(64, 8)) - 1).square().mean().backward()
    optimizer.step()  # run: `model.0.weight`
