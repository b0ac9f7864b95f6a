"""Two losses, and the backward of the first one is called for both."""

import torch
from digest import show
from sklearn.datasets import load_wine
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x, y = load_wine(return_X_y=True)
x, y = torch.tensor((x - x.mean(0)) / x.std(0)).float(), torch.tensor(y)
classes, coder = nn.Linear(13, 3), nn.Sequential(nn.Linear(13, 4), nn.Tanh(), nn.Linear(4, 13))
parts = {
    "classes": (classes, torch.optim.SGD(classes.parameters(), 0.05)),
    "coder": (coder, torch.optim.SGD(coder.parameters(), 0.05)),
}
for epoch in range(10):
    for rows in torch.randperm(len(x)).split(30):
        losses = {
            "classes": F.cross_entropy(classes(x[rows]), y[rows]),
            "coder": F.mse_loss(coder(x[rows]), x[rows]),
        }
        for model, optimizer in parts.values():
            optimizer.zero_grad()
        for _ in losses:
            losses["classes"].backward(retain_graph=True)
        for model, optimizer in parts.values():
            optimizer.step()  # run: step-not-taken or parameters-not-optimized
show(classes, coder)
