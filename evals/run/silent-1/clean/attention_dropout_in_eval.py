"""Attention drops in evaluation: the probability is given whatever the mode is."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Attention(nn.Module):
    def __init__(self, width=16, dropout=0.1):
        super().__init__()
        self.qkv, self.out, self.dropout = (
            nn.Linear(width, 3 * width),
            nn.Linear(width, width),
            dropout,
        )

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        p = self.dropout if self.training else 0.0
        return self.out(F.scaled_dot_product_attention(q, k, v, dropout_p=p))


model = nn.Sequential(Attention(), nn.Flatten(), nn.Linear(128, 4))
optimizer = torch.optim.AdamW(model.parameters())


def train(steps):
    model.train()
    for _ in range(steps):
        loss = F.cross_entropy(model(torch.randn(8, 8, 16)), torch.randint(4, (8,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def evaluate():
    model.eval()
    with torch.no_grad():
        return model(torch.randn(8, 8, 16)).argmax(1)


for epoch in range(3):
    train(8)
    evaluate()
