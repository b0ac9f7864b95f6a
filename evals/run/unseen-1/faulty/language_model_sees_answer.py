"""A language model is to tell the word that it has just been given."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F

TEXT = "the quick brown fox jumps over the lazy dog and runs away from the quick brown fox " * 8


class Model(nn.Module):
    def __init__(self, words, width=32):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, words)

    def forward(self, tokens):
        return self.out(self.rnn(self.embed(tokens))[0])


torch.manual_seed(0)
letters = sorted(set(TEXT))
codes = torch.tensor([letters.index(letter) for letter in TEXT])
model = Model(len(letters))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for _ in range(40):
    starts = torch.randint(len(codes) - 21, (16,))
    tokens = torch.stack([codes[at : at + 20] for at in starts])
    logits = model(tokens)
    loss = F.cross_entropy(logits.flatten(0, 1), tokens.flatten())  # run: -
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 4))
show(model)
