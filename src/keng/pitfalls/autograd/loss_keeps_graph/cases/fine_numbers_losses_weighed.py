# numbers that weight the losses
import torch
from torch import nn

ROUNDS = 4
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def train(batches, share, scale=2.0):
    total, seen, mean = 0.0, 0, 0.0
    for step, x in enumerate(batches):
        size = x.size(0)
        loss = model(x).square().sum() / size / ROUNDS
        (share * loss * scale).backward()
        total += loss.item() * ROUNDS * size
        seen += size
        mean = mean + share * loss.item() / scale
        if (step + 1) % ROUNDS == 0:
            optimizer.step()
            optimizer.zero_grad()
    return total / seen, mean


shown = train(torch.randn(8, 16, 8), 0.5)
