# a new model for each fold
import torch
from torch import nn


def build():
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))


torch.manual_seed(0)
model = build()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for fold in range(3):
    model.train()
    for step in range(20):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()  # run: holds 4 parameters that are no longer in the model
    model.eval()
    with torch.no_grad():
        print(model(torch.randn(8, 4)).square().mean().item())
    model = build()
