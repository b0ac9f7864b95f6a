"""A universal transformer applies one layer four times, and its head is tied to its embedding."""

import torch
from digest import show
from torch import nn
from torch.nn.utils.rnn import pad_sequence

PAD, WORDS, WIDTH = 0, 24, 32


class Universal(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.embed = nn.Embedding(WORDS, WIDTH, padding_idx=PAD)
        self.position = nn.Embedding(20, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 64, 0.1, batch_first=True, norm_first=True)
        self.layers = nn.ModuleList([layer] * depth)
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, WORDS, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, tokens):
        length = tokens.size(1)
        causal = torch.ones(length, length, dtype=torch.bool).triu(1)
        x = self.embed(tokens) + self.position.weight[:length]
        for layer in self.layers:
            x = layer(x, src_mask=causal, src_key_padding_mask=tokens == PAD)
        return self.head(self.norm(x))


def batch(n=24):
    rows = [
        (torch.arange(k) * s + s) % (WORDS - 1) + 1
        for k, s in torch.randint(4, 16, (n, 2)).tolist()
    ]
    tokens = pad_sequence(rows, batch_first=True, padding_value=PAD)
    return tokens[:, :-1], tokens[:, 1:]


torch.manual_seed(0)
model = Universal()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.1)
criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1)
for step in range(80):
    x, y = batch()
    loss = criterion(model(x).flatten(0, 1), y.flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 20 == 0:
        print(step, f"{loss.item():.3f}")
show(model)
