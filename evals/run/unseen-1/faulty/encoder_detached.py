"""The code is detached where only the target should be, and the encoder never learns."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 8))
        self.book = nn.Embedding(16, 8)
        self.decoder = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 64))

    def forward(self, x):
        code = self.encoder(x)
        near = self.book(torch.cdist(code, self.book.weight).argmin(1))
        straight = code.detach() + (near - code.detach())  # run: graph-cut-by-conversion
        book_loss = F.mse_loss(near, code.detach())
        return self.decoder(straight), book_loss


torch.manual_seed(0)
x = torch.tensor(load_digits().data).float() / 16
model = Coder()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for _ in range(80):
    part = x[torch.randint(len(x), (64,))]
    again, book_loss = model(part)
    loss = F.mse_loss(again, part) + book_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 5))
show(model)
