"""An average of the weights after each step, swapped in for evaluation and out again."""

import copy
from contextlib import contextmanager

import torch
from digest import show
from sklearn.datasets import load_wine
from torch import nn


class Ema:
    def __init__(self, model, decay=0.98):
        self.model, self.decay = model, decay
        self.average = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self):
        for mine, theirs in zip(self.average.parameters(), self.model.parameters()):
            mine.mul_(self.decay).add_(theirs, alpha=1 - self.decay)
        for mine, theirs in zip(self.average.buffers(), self.model.buffers()):
            mine.copy_(theirs)

    @contextmanager
    def swapped(self):
        kept = copy.deepcopy(self.model.state_dict())
        self.model.load_state_dict(self.average.state_dict())
        yield self.model
        self.model.load_state_dict(kept)


torch.manual_seed(0)
x, y = load_wine(return_X_y=True)
order = torch.randperm(len(x))
x, y = torch.tensor((x - x.mean(0)) / x.std(0)).float()[order], torch.tensor(y)[order]
model = nn.Sequential(nn.Linear(13, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 3))
ema, optimizer = Ema(model), torch.optim.Adam(model.parameters(), 3e-3)
for epoch in range(5):
    for part in torch.randperm(150).split(30):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[part]), y[part]).backward()
        optimizer.step()
        ema.update()
    with ema.swapped() as smooth, torch.no_grad():
        smooth.eval()
        print(epoch, (smooth(x[150:]).argmax(1) == y[150:]).float().mean().item())
        smooth.train()
show(model, ema.average)
