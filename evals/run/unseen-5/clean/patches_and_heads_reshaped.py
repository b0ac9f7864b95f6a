"""Views and transposes of all kinds in a small ViT, each of which keeps together what belongs together."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, c = x.shape
        qkv = self.qkv(x).view(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        out = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.proj(out.transpose(1, 2).contiguous().view(b, n, c))


class ViT(nn.Module):
    def __init__(self, dim=24, patch=2):
        super().__init__()
        self.patch = patch
        self.embed = nn.Linear(patch * patch, dim)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, 17, dim) * 0.02)
        self.norm = nn.ModuleList(nn.LayerNorm(dim) for _ in range(2))
        self.attention = nn.ModuleList(Attention(dim, 3) for _ in range(2))
        self.groups = nn.Conv1d(dim, dim, 1, groups=4)
        self.head = nn.Linear(dim, 10)

    def forward(self, x):
        b, p = len(x), self.patch
        x = x.view(b, 4, p, 4, p).transpose(2, 3).reshape(b, 16, p * p)
        x = torch.cat([self.cls.expand(b, -1, -1), self.embed(x)], 1) + self.pos
        for norm, attention in zip(self.norm, self.attention):
            x = x + attention(norm(x))
        x = self.groups(x.transpose(1, 2))
        b, c, n = x.shape
        x = x.view(b, 4, c // 4, n).transpose(1, 2).reshape(b, c, n)
        gate = x.mean(2, keepdim=True).view(b, 1, c).sigmoid()
        return self.head((x + x * gate.view(b, c, 1)).mean(2))


torch.manual_seed(0)
digits = load_digits()
data = TensorDataset(torch.tensor(digits.images).float() / 16, torch.tensor(digits.target))
model = ViT()
steps = 4 * len(DataLoader(data, 64))
optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
for epoch in range(4):
    for x, y in DataLoader(data, 64, shuffle=True):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(epoch, f"{loss.item():.3f}")
show(model)
