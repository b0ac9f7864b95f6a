"""Two optimizers hold the shared encoder, and both step on one backward."""

from itertools import chain

import torch
from digest import show
from sklearn.datasets import load_diabetes
from torch import nn


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
        self.level, self.high = nn.Linear(32, 1), nn.Linear(32, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.level(h).squeeze(-1), self.high(h).squeeze(-1)


torch.manual_seed(0)
data = load_diabetes()
x = torch.tensor(data.data).float() * 20
y = (torch.tensor(data.target).float() - 152) / 77
model = Shared()
opt_level = torch.optim.Adam(chain(model.trunk.parameters(), model.level.parameters()), 2e-3)
opt_high = torch.optim.Adam(chain(model.trunk.parameters(), model.high.parameters()), 2e-3)
for _ in range(15):
    for part in torch.randperm(len(x)).split(64):
        level, high = model(x[part])
        loss = nn.functional.mse_loss(level, y[part])
        loss = loss + nn.functional.binary_cross_entropy_with_logits(high, (y[part] > 0).float())
        for optimizer in (opt_level, opt_high):
            optimizer.zero_grad()
        loss.backward()
        for optimizer in (opt_level, opt_high):
            optimizer.step()  # run: optimizers-overlap
print(loss.item())
show(model)
