"""Of a sparse and a dense optimizer only the dense one's gradients are cleared."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F


class Matcher(nn.Module):
    def __init__(self, users, items, width=8):
        super().__init__()
        self.users = nn.Embedding(users, width, sparse=True)
        self.items = nn.Embedding(items, width, sparse=True)
        self.mix = nn.Sequential(nn.Linear(2 * width, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, user, item):
        pair = torch.cat([self.users(user), self.items(item)], 1)
        return self.mix(pair).squeeze(1)


torch.manual_seed(0)
tastes = torch.randn(60, 3) @ torch.randn(3, 90)
model = Matcher(60, 90)
rows = torch.optim.SparseAdam([*model.users.parameters(), *model.items.parameters()], lr=1e-2)
dense = torch.optim.Adam(model.mix.parameters(), lr=2e-3)
for turn in range(80):
    user, item = torch.randint(60, (64,)), torch.randint(90, (64,))
    loss = F.mse_loss(model(user, item), tastes[user, item])
    dense.zero_grad()
    loss.backward()  # run: zero-grad-missing
    rows.step()  # run: zero-grad-missing
    dense.step()
    if turn % 20 == 19:
        print(f"{loss.item():.4f}")
show(model)
