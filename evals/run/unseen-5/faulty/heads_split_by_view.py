"""Attention with several heads, made by `view` alone: each head gets slices of the sequence."""

import math

import torch
from digest import show
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d_k = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, t, c = x.shape
        q = self.q_proj(x).view(b, self.h, t, self.d_k)  # run: view-mixes-dimensions
        k = self.k_proj(x).view(b, self.h, t, self.d_k)  # run: view-mixes-dimensions
        v = self.v_proj(x).view(b, self.h, t, self.d_k)  # run: view-mixes-dimensions
        att = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d_k), dim=-1)
        out = (att @ v).transpose(1, 2).reshape(b, t, c)
        return self.o_proj(out)


class Block(nn.Module):
    def __init__(self, d_model=32, n_heads=4):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn = SelfAttention(d_model, n_heads)
        self.mlp = nn.Sequential(
            nn.Linear(d_model, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, d_model)
        )

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(20, 32), nn.Embedding(10, 32)
        self.blocks = nn.Sequential(Block(), Block())
        self.head = nn.Linear(32, 20)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1)))
        return self.head(self.blocks(x))


torch.manual_seed(0)
model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(100):
    idx = torch.randint(0, 20, (16, 10))
    logits = model(idx)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), idx.flip(1).flatten())
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if step % 25 == 0:
        print(step, f"{loss.item():.3f}")
show(model)
