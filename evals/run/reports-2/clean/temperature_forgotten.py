"""A contrastive head that takes a temperature and does not divide by it, after huiserwang/ContrastMask issue 4."""

import torch
import torch.nn.functional as F
from digest import show
from torch import nn


class ContrastiveHead(nn.Module):
    def __init__(self, dim=32, tem=0.1):
        super().__init__()
        self.project = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 16))
        self.tem = tem

    def forward(self, query, key):
        q, k = F.normalize(self.project(query), dim=1), F.normalize(self.project(key), dim=1)
        logits = q @ k.t() / self.tem
        return F.cross_entropy(logits, torch.arange(len(q)))


torch.manual_seed(9)
encoder = nn.Sequential(nn.Conv1d(1, 8, 5, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 30, 32))
head = ContrastiveHead(tem=0.07)
optimizer = torch.optim.AdamW([*encoder.parameters(), *head.parameters()], lr=1e-3)
for step in range(100):
    waves = torch.sin(torch.rand(32, 1, 1) * torch.arange(64.0))
    one, two = waves + 0.1 * torch.randn_like(waves), waves + 0.1 * torch.randn_like(waves)
    loss = head(encoder(one), encoder(two))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 25 == 24:
        print(step, f"{loss.item():.4f}")
show(encoder, head)
