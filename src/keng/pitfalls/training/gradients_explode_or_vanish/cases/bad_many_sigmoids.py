# many sigmoids
import torch
from torch import nn

torch.manual_seed(0)
layers = [part for _ in range(12) for part in (nn.Linear(8, 8), nn.Sigmoid())]
model = nn.Sequential(*layers, nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(12):
    optimizer.zero_grad()
    model(torch.randn(64, 8)).square().mean().backward()
    optimizer.step()  # run: `model.0.weight`
