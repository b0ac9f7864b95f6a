"""A deep net whose hidden layers are to be six and are one, since a list was multiplied."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DeepNet(nn.Module):
    def __init__(self, width=64, depth=6):
        super().__init__()
        self.first = nn.Linear(64, width)
        block = nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width), nn.ReLU())
        self.hidden = nn.Sequential(*[block] * depth)  # run: -
        self.last = nn.Linear(width, 10)

    def forward(self, x):
        return self.last(self.hidden(torch.relu(self.first(x))))


torch.manual_seed(0)
digits = load_digits()
ds = TensorDataset(torch.tensor(digits.data).float() / 16, torch.tensor(digits.target))
loader = DataLoader(ds, 64, shuffle=True)
model = DeepNet()
print(sum(p.numel() for p in model.parameters()))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    total = 0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(epoch, f"{total / len(ds):.4f}")
show(model)
