# the good program of the page with its training
import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.stage = nn.Linear(4, 4), nn.Linear(4, 4)

    def train(self, mode=True):
        super().train(mode)
        self.stem.requires_grad_(False)
        return self

    def forward(self, x):
        return self.stage(self.stem(x).relu())


torch.manual_seed(0)
model = nn.Sequential(Backbone(), nn.Linear(4, 1))
before = model[0].stem.weight.clone()
model.train()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
assert before.equal(model[0].stem.weight)
