"""Experts stand in a plain dictionary, and do not learn."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn


class Mixture(nn.Module):
    def __init__(self, experts):
        super().__init__()
        self.gate = nn.Linear(64, experts)
        self.experts = {n: nn.Linear(64, 10) for n in range(experts)}  # run: module-not-registered

    def forward(self, x):
        shares = self.gate(x).softmax(-1)
        told = torch.stack([expert(x) for expert in self.experts.values()], 1)
        return (shares.unsqueeze(-1) * told).sum(1)


torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x).float() / 16, torch.tensor(y)
model = Mixture(3)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(50):
    part = torch.randint(len(x), (64,))
    loss = nn.functional.cross_entropy(model(x[part]), y[part])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
