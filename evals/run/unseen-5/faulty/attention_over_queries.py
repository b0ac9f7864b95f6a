"""Attention weights are normalized over the queries, not over the keys."""

import torch
from digest import show
from torch import nn


class Pointer(nn.Module):
    """Gives back the sorted order of a sequence."""

    def __init__(self, d=48):
        super().__init__()
        self.inp = nn.Linear(1, d)
        self.enc = nn.GRU(d, d, batch_first=True)
        self.query = nn.Linear(d, d)
        self.key = nn.Linear(d, d)
        self.value = nn.Linear(d, d)
        self.softmax = nn.Softmax(dim=1)  # run: -
        self.out = nn.Linear(d, 8)

    def forward(self, x):
        h, _ = self.enc(self.inp(x.unsqueeze(-1)))
        scores = torch.bmm(self.query(h), self.key(h).transpose(1, 2)) / h.size(-1) ** 0.5
        attention = self.softmax(scores)
        return self.out(torch.bmm(attention, self.value(h)) + h)


torch.manual_seed(0)
model = Pointer()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for it in range(1, 101):
    x = torch.rand(32, 8)
    rank = x.argsort(1).argsort(1)
    loss = criterion(model(x).transpose(1, 2), rank)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 25 == 0:
        print(it, f"{loss.item():.3f}")
show(model)
