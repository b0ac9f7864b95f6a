"""A recurrent cell drops out by function, in evaluation too."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


class Cells(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.cell, self.out = nn.GRUCell(8, width), nn.Linear(width, 10)

    def forward(self, images):
        state = images.new_zeros(len(images), self.cell.hidden_size)
        for row in images.unbind(1):
            state = F.dropout(self.cell(row, state), 0.2)  # run: functional-dropout-always-on
        return self.out(state)


def score(model, images, labels):
    model.eval()
    with torch.inference_mode():
        right = (model(images).argmax(1) == labels).sum().item()
    model.train()
    return right / len(labels)


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.images).float() / 16, torch.tensor(digits.target)
model = Cells()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(3):
    for part in torch.randperm(1400).split(100):
        optimizer.zero_grad()
        F.cross_entropy(model(x[part]), y[part]).backward()
        optimizer.step()
    print(epoch, score(model, x[1400:], y[1400:]))
show(model)
