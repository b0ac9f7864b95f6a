"""Pseudo labels of the weak view, without gradients and only where they are sure; at first hardly any is."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, RandomSampler, TensorDataset


class Augment:
    def __init__(self, noise, drop=0.0):
        self.noise, self.drop = noise, drop

    def __call__(self, x):
        return x * (torch.rand_like(x) >= self.drop) + self.noise * torch.randn_like(x)


def unlabelled_loss(model, x, weak, strong, threshold):
    with torch.no_grad():
        sure, guess = model(weak(x)).softmax(1).max(1)
    mask = (sure >= threshold).float()
    each = F.cross_entropy(model(strong(x)), guess, reduction="none")
    return (each * mask).mean(), mask.mean().item()


torch.manual_seed(0)
digits = load_digits()
x, y = torch.tensor(digits.data, dtype=torch.float32) / 16, torch.tensor(digits.target)
known = TensorDataset(x[:80], y[:80])
labelled = DataLoader(known, 16, sampler=RandomSampler(known, replacement=True, num_samples=480))
unlabelled = DataLoader(TensorDataset(x[80:1500]), 48, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, nesterov=True)
weak, strong = Augment(0.02), Augment(0.1, 0.3)
for epoch in range(4):
    model.train()
    shares = []
    for (a, b), (c,) in zip(labelled, unlabelled):
        on_unlabelled, share = unlabelled_loss(model, c, weak, strong, 0.95)
        loss = F.cross_entropy(model(weak(a)), b) + on_unlabelled
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        shares.append(share)
    model.eval()
    with torch.no_grad():
        right = (model(x[1500:]).argmax(1) == y[1500:]).float().mean().item()
    print(epoch, f"{sum(shares) / len(shares):.2f} {right:.3f}")
show(model)
