"""The best weights of an early stop are kept without a copy, and so are always the last ones."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.best, self.waited, self.kept = patience, float("inf"), 0, None

    def over(self, value, model):
        if value < self.best - 1e-4:
            self.best, self.waited = value, 0
            self.kept = model.state_dict()  # run: kept-state-not-copied
        else:
            self.waited += 1
        return self.waited >= self.patience


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target)
noisy = torch.where(torch.rand(300) < 0.3, torch.randint(10, (300,)), y[:300])
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))
optimizer = torch.optim.Adam(model.parameters(), 5e-3)
stop = EarlyStop(5)
for epoch in range(60):
    model.train()
    for part in torch.randperm(300).split(50):
        loss = F.cross_entropy(model(x[part]), noisy[part])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        held = F.cross_entropy(model(x[1000:]), y[1000:]).item()
    if stop.over(held, model):
        break
model.load_state_dict(stop.kept)
print(epoch, f"{stop.best:.4f}")
show(model)
