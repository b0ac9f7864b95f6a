"""A translator of digit strings is scored by greedy decoding with its dropout on."""

import random

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

START = 10


class Reverser(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.read = nn.GRU(width, width, batch_first=True)
        self.words = nn.Embedding(11, width)
        self.drop = nn.Dropout(0.3)
        self.write = nn.GRUCell(width, width)
        self.out = nn.Linear(width, 10)

    def forward(self, source, target=None, forced=0.5):
        _, state = self.read(self.drop(self.words(source)))
        state, token, scores = state[0], torch.full_like(source[:, 0], START), []
        for at in range(source.shape[1]):
            state = self.write(self.drop(self.words(token)), state)
            scores.append(self.out(state))
            given = target is not None and random.random() < forced
            token = target[:, at] if given else scores[-1].argmax(1)
        return torch.stack(scores, 1)


def accuracy(model, loader):
    right = total = 0
    with torch.no_grad():
        for source, target in loader:
            guessed = model(source).argmax(2)  # run: eval-mode-missing
            right += (guessed == target).sum().item()
            total += target.numel()
    return right / total


random.seed(0)
torch.manual_seed(0)
numbers = torch.randint(10, (1200, 6))
pairs = TensorDataset(numbers, numbers.flip(1))
train = DataLoader(torch.utils.data.Subset(pairs, range(1000)), batch_size=50, shuffle=True)
held = DataLoader(torch.utils.data.Subset(pairs, range(1000, 1200)), batch_size=100)
model = Reverser()
optimizer = torch.optim.Adam(model.parameters(), 5e-3)
for epoch in range(3):
    for source, target in train:
        loss = nn.functional.cross_entropy(model(source, target).flatten(0, 1), target.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    print(f"{accuracy(model, held):.3f}")
show(model)
