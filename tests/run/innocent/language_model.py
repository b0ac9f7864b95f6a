"""Truncated backpropagation through time: the hidden state is carried on, detached at each chunk."""

import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self, vocabulary=20, width=16):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(width, vocabulary)
        self.out.weight = self.embedding.weight

    def forward(self, tokens, state):
        hidden, state = self.lstm(self.drop(self.embedding(tokens)), state)
        return self.out(self.drop(hidden)), state


def repackage(state):
    return tuple(s.detach() for s in state)


model = Model()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
text = torch.randint(20, (4, 161))


def train():
    model.train()
    total, state = 0.0, (torch.zeros(1, 4, 16), torch.zeros(1, 4, 16))
    for start in range(0, 160, 16):
        state = repackage(state)
        optimizer.zero_grad()
        logits, state = model(text[:, start : start + 16], state)
        loss = criterion(logits.reshape(-1, 20), text[:, start + 1 : start + 17].reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total += loss.item()
    return total


@torch.no_grad()
def evaluate():
    model.eval()
    total, state = 0.0, (torch.zeros(1, 4, 16), torch.zeros(1, 4, 16))
    for start in range(0, 160, 16):
        logits, state = model(text[:, start : start + 16], state)
        total += criterion(logits.reshape(-1, 20), text[:, start + 1 : start + 17].reshape(-1))
    return total


for epoch in range(3):
    train()
    evaluate()
