"""A translator whose forcing decreases, with tokens picked from its own output, tied weights and padding."""

import random

import torch
from digest import show
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

PAD, START, WIDTH = 10, 11, 24


class Copier(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(12, WIDTH, padding_idx=PAD)
        self.read = nn.GRU(WIDTH, WIDTH, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * WIDTH, WIDTH)
        self.write = nn.GRUCell(WIDTH, WIDTH)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(WIDTH, 12, bias=False)
        self.out.weight = self.words.weight

    def forward(self, source, lengths, target=None, forced=0.0):
        packed = pack_padded_sequence(self.words(source), lengths, True, enforce_sorted=False)
        _, state = self.read(packed)
        state = torch.tanh(self.bridge(torch.cat([*state], 1)))
        token, scores = torch.full((len(source),), START), []
        for at in range(source.shape[1]):
            state = self.write(self.drop(self.words(token)), state)
            scores.append(self.out(state))
            with torch.no_grad():
                token = scores[-1].argmax(1)
            if target is not None and random.random() < forced:
                token = target[:, at]
        return torch.stack(scores, 1)


def batches(count, size):
    for _ in range(count):
        rows = [torch.randint(10, (random.randint(2, 6),)) for _ in range(size)]
        lengths = torch.tensor([len(row) for row in rows])
        yield pad_sequence(rows, True, PAD), lengths


random.seed(0)
torch.manual_seed(0)
model = Copier()
optimizer = torch.optim.Adam(model.parameters(), 4e-3)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
for epoch in range(3):
    model.train()
    for source, lengths in batches(20, 32):
        scores = model(source, lengths, source, forced=1.0 - 0.3 * epoch)
        loss = criterion(scores.transpose(1, 2), source)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    model.eval()
    with torch.inference_mode():
        source, lengths = next(batches(1, 64))
        real = source != PAD
        guessed = model(source, lengths).argmax(2)
        print(f"{(guessed == source)[real].float().mean().item():.3f}")
show(model)
