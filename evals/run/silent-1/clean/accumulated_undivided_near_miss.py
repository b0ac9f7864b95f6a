"""Four batches' gradients are added up and not divided: a function loop."""

import torch
import torch.nn.functional as F
from torch import nn


def train(model, optimizer, steps, accumulate):
    for step in range(steps):
        x, y = torch.randn(16, 8), torch.randint(3, (16,))
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        if (step + 1) % accumulate == 0:
            for p in model.parameters():
                p.grad /= accumulate
            optimizer.step()
            optimizer.zero_grad()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
train(model, torch.optim.SGD(model.parameters(), lr=0.1), steps=40, accumulate=4)
