"""Contrastive pairs: cross-entropy over similarities, whose labels are always 0 to n - 1."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


class Clip(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(32, 16), nn.Linear(32, 16)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, a, b):
        a, b = F.normalize(self.one(a), dim=-1), F.normalize(self.two(b), dim=-1)
        return self.scale.exp() * a @ b.t()


torch.manual_seed(0)
x = torch.tensor(load_digits().data).float() / 16
model = Clip()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for _ in range(60):
    rows = x[torch.randint(len(x), (48,))]
    logits = model(rows[:, :32] + 0.05 * torch.randn(48, 32), rows[:, 32:])
    own = torch.arange(48)
    loss = (F.cross_entropy(logits, own) + F.cross_entropy(logits.t(), own)) / 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        model.scale.clamp_(0, 4.6)
print(loss.item())
show(model)
