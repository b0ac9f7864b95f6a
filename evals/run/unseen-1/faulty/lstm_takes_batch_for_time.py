"""Rows of (batch, time, feature) are given to an LSTM that wants time first."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 32)
        self.out = nn.Linear(32, 10)

    def forward(self, images):
        states, _ = self.rnn(images)  # run: rnn-batch-first
        return self.out(states[:, -1])


torch.manual_seed(0)
digits = load_digits()
data = TensorDataset(torch.tensor(digits.images).float() / 16, torch.tensor(digits.target))
model = Reader()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(2):
    right = 0
    for images, labels in DataLoader(data, batch_size=64, shuffle=True, drop_last=True):
        logits = model(images)
        loss = nn.functional.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += int((logits.argmax(1) == labels).sum())
    print(epoch, right)
show(model)
