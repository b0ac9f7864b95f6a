"""Finetuning on packed rows, after meta-pytorch/torchtune pull request 2613."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

VOCAB, LENGTH = 40, 48


class Packed(Dataset):
    """Several samples in each row, with the positions and the number of the sample of every token."""

    def __init__(self, rows=160):
        g = torch.Generator().manual_seed(0)
        self.rows = []
        for _ in range(rows):
            tokens, labels, positions, owners = [], [], [], []
            owner = 0
            while len(tokens) < LENGTH:
                size = min(int(torch.randint(6, 14, (1,), generator=g)), LENGTH - len(tokens))
                start = int(torch.randint(1, VOCAB, (1,), generator=g))
                sample = [(start + 3 * i) % (VOCAB - 1) + 1 for i in range(size)]
                tokens += sample
                labels += sample[1:] + [-100]
                positions += range(size)
                owners += [owner] * size
                owner += 1
            ids = torch.tensor(tokens)
            shifted = torch.cat([ids[1:], torch.tensor([-100])])  # run: packed-samples-mixed
            self.rows.append((ids, shifted, torch.tensor(positions), torch.tensor(owners)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x, mask):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        x = x + self.out(F.scaled_dot_product_attention(q[:, None], k[:, None], v[:, None], attn_mask=mask)[:, 0])
        return x + self.mlp(x)


class Model(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB, width)
        self.positions = nn.Embedding(LENGTH, width)
        self.blocks = nn.ModuleList([Block(width), Block(width)])
        self.head = nn.Linear(width, VOCAB)

    def forward(self, ids, positions, owners):
        same = owners[:, :, None] == owners[:, None, :]
        mask = (same & torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril())[:, None]
        x = self.tokens(ids) + self.positions(positions)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(x)


torch.manual_seed(0)
model = Model()
loader = DataLoader(Packed(), batch_size=16, shuffle=True)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for epoch in range(4):
    for ids, labels, positions, owners in loader:
        loss = F.cross_entropy(model(ids, positions, owners).flatten(0, 1), labels.flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.4f}")
show(model)
