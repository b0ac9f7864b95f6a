"""A module notes its activations for a plot, at every step, and nobody empties the list."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn


class Probe(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner, self.seen = inner, []

    def forward(self, x):
        out = self.inner(x)
        self.seen.append(out.detach().clone())  # run: memory-grows
        return out


torch.manual_seed(0)
x, y = load_digits(return_X_y=True)
x, y = torch.tensor(x).float() / 16, torch.tensor(y)
model = nn.Sequential(Probe(nn.Linear(64, 512)), nn.ReLU(), Probe(nn.Linear(512, 10)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(300):
    part = torch.randint(len(x), (128,))
    loss = nn.functional.cross_entropy(model(x[part]), y[part])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
show(model)
