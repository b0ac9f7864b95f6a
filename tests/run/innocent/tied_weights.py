"""A word model whose output layer is its embedding, with carried state, dropout by mode and a schedule."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class WordModel(nn.Module):
    def __init__(self, words=20, width=16):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.rnn = nn.LSTM(width, width, num_layers=2, dropout=0.1)
        self.out = nn.Linear(width, words, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, tokens, state):
        x = F.dropout(self.embed(tokens), 0.1, self.training)
        x, state = self.rnn(x, state)
        return F.log_softmax(self.out(x), dim=-1).flatten(0, 1), state


def detached(state):
    return tuple(part.detach() for part in state)


def run(model, text, optimizer=None, span=8):
    state = tuple(torch.zeros(2, text.shape[1], 16) for _ in range(2))
    total = 0.0
    for start in range(0, len(text) - span - 1, span):
        tokens, wanted = text[start : start + span], text[start + 1 : start + span + 1]
        state = detached(state)
        log_probs, state = model(tokens, state)
        loss = F.nll_loss(log_probs, wanted.flatten())
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            optimizer.step()
        total += loss.item()
    return total


torch.manual_seed(0)
text = torch.randint(20, (65, 4))
model = WordModel()
optimizer = torch.optim.SGD(model.parameters(), lr=2.0)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.25, patience=0)
best = math.inf
for epoch in range(3):
    model.train()
    run(model, text, optimizer)
    model.eval()
    with torch.no_grad():
        valid = run(model, text[:33])
    scheduler.step(valid)
    best = min(best, valid)
