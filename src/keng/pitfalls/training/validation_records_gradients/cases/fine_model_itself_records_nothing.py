# the model itself records nothing
import torch
from torch import nn
from torch.utils.data import DataLoader


class Ensemble(nn.Module):
    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)

    @torch.no_grad()
    def forward(self, x):
        return torch.stack([member(x) for member in self.members]).mean(0)


def predict(model, loader):
    return torch.cat([model(x) for x in loader])


def evaluate(model, loader):
    total = 0.0
    for x in loader:
        total += model(x).sum().item()
    return total


member = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 2))
optimizer = torch.optim.SGD(member.parameters(), lr=0.1)
loader = DataLoader(torch.randn(16, 4), batch_size=8)
for x in loader:
    optimizer.zero_grad()
    member(x).square().mean().backward()
    optimizer.step()
both = Ensemble([member]).eval()
total = evaluate(both, loader) + predict(both, loader).sum().item()
