"""A small transformer, padded and masked, warmed up, whose norm is clipped to one from the start."""

import math

import torch
from digest import show
from torch import nn


class Model(nn.Module):
    def __init__(self, words=20, width=32):
        super().__init__()
        self.embed, self.places = nn.Embedding(words, width, padding_idx=0), nn.Embedding(16, width)
        layer = nn.TransformerEncoderLayer(width, 4, 64, 0.1, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(width, words)

    def forward(self, x):
        length = x.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(length)
        h = self.embed(x) * math.sqrt(32) + self.places(torch.arange(length))
        return self.out(self.layers(h, mask, is_causal=True))


def batch():
    starts, strides = torch.randint(1, 20, (24, 1)), torch.randint(1, 5, (24, 1))
    x = (starts + strides * torch.arange(13)) % 19 + 1
    lengths = torch.randint(6, 14, (24, 1))
    return x.masked_fill(torch.arange(13) >= lengths, 0)


torch.manual_seed(0)
model = Model()
decayed = [p for p in model.parameters() if p.dim() > 1]
plain = [p for p in model.parameters() if p.dim() <= 1]
groups = [{"params": decayed, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=3e-3, betas=(0.9, 0.98))
warm = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min(1.0, (n + 1) / 20))
loss_of = nn.CrossEntropyLoss(ignore_index=0)
for _ in range(70):
    x = batch()
    loss = loss_of(model(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    warm.step()
print(loss.item())
show(model)
