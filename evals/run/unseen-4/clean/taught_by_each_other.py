"""Two students that learn from each other's detached guesses, each with an optimizer of its own."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def student(width, act):
    return nn.Sequential(nn.Linear(64, width), nn.BatchNorm1d(width), act(), nn.Linear(width, 10))


def divergence(mine, other):
    return F.kl_div(
        F.log_softmax(mine, 1),
        F.log_softmax(other.detach(), 1),
        reduction="batchmean",
        log_target=True,
    )


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), 70, shuffle=True)
students = [student(48, nn.ReLU), student(24, nn.Tanh)]
optimizers = [torch.optim.Adam(s.parameters(), 2e-3) for s in students]
schedulers = [torch.optim.lr_scheduler.ExponentialLR(o, 0.8) for o in optimizers]
for epoch in range(4):
    for s in students:
        s.train()
    for images, labels in loader:
        outs = [s(images) for s in students]
        for i, optimizer in enumerate(optimizers):
            loss = F.cross_entropy(outs[i], labels) + divergence(outs[i], outs[1 - i])
            optimizer.zero_grad()
            loss.backward()
        for optimizer in optimizers:
            optimizer.step()
    for s, scheduler in zip(students, schedulers):
        s.eval()
        scheduler.step()
    with torch.no_grad():
        print(
            epoch, [f"{(s(x[1400:]).argmax(1) == y[1400:]).float().mean():.3f}" for s in students]
        )
show(*students)
