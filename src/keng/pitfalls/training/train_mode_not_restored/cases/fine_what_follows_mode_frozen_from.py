# the layers that depend on the mode are frozen from then on and stay in eval mode
import torch
from torch import nn
from torch.utils.data import DataLoader

loader = DataLoader(list(torch.randn(16, 4)), batch_size=8)
body = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.1))
model = nn.Sequential(body, nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train():
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


train()
model.eval()
body.requires_grad_(False)
train()
