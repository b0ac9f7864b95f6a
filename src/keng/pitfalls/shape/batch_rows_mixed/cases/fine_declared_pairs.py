# a model that declares it; similarities of all pairs
import torch
from torch import nn


class Neighbours(nn.Module):
    keng_exempt = ("rows",)

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        h = self.fc(x)
        return (h @ h.t()).softmax(1) @ h


class Pairs(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        h = nn.functional.normalize(self.fc(x))
        return h @ h.t()


for model in (Neighbours(), Pairs()):
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(10):
        optimizer.zero_grad()
        out = model(torch.randn(12, 6))
        nn.functional.cross_entropy(out, torch.arange(12) % out.shape[1]).backward()
        optimizer.step()
