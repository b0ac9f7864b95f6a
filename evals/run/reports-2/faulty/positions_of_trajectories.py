"""Next places of people, padded to (batch, length, width), after songyangco/GETNext issue 2."""

import math

import torch
from digest import show
from torch import nn


class PositionalEncoding(nn.Module):
    def __init__(self, dim, longest=64):
        super().__init__()
        pe = torch.zeros(longest, dim)
        place = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        pe[:, 0::2], pe[:, 1::2] = torch.sin(place * rate), torch.cos(place * rate)
        self.register_buffer("pe", pe.unsqueeze(1))

    def forward(self, x):
        return x + self.pe[: x.size(0)]  # run: positions-along-batch or batch-rows-mixed


class Mover(nn.Module):
    def __init__(self, places=30, dim=24):
        super().__init__()
        self.emb = nn.Embedding(places, dim)
        self.pos = PositionalEncoding(dim)
        layer = nn.TransformerEncoderLayer(dim, 2, 48, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.out = nn.Linear(dim, places)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.size(1))
        return self.out(self.encoder(self.pos(self.emb(x)), mask=mask, is_causal=True))


torch.manual_seed(4)
model = Mover()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for step in range(80):
    start = torch.randint(0, 30, (16, 1))
    walk = (start + torch.arange(13).square()) % 30
    logits = model(walk[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), walk[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 19:
        print(step, f"{loss.item():.4f}")
show(model)
