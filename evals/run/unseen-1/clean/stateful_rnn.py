"""A language model carries its state over, detached, and clips to 0.25 as the old example did."""

import torch
from digest import show
from torch import nn


class Lm(nn.Module):
    def __init__(self, words=12, width=24):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.embed, self.rnn = nn.Embedding(words, width), nn.LSTM(width, width, 2, dropout=0.2)
        self.out = nn.Linear(width, words)
        self.out.weight = self.embed.weight

    def forward(self, x, state):
        h, state = self.rnn(self.drop(self.embed(x)), state)
        return self.out(self.drop(h)).flatten(0, 1), state


torch.manual_seed(0)
stream = (torch.arange(4000) * torch.arange(4000) // 7 % 12).view(8, -1).t().contiguous()
model, lr = Lm(), 5.0
state = None
for at in range(0, len(stream) - 21, 20):
    x, y = stream[at : at + 20], stream[at + 1 : at + 21].reshape(-1)
    if state is not None:
        state = tuple(part.detach() for part in state)
    model.zero_grad()
    out, state = model(x, state)
    nn.functional.cross_entropy(out, y).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    for p in model.parameters():
        p.data.add_(p.grad, alpha=-lr)
show(model)
