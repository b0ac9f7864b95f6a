# no update, or none but that of a meter
import torch
from torch import nn


class Meter:
    total = 0.0

    def update(self, value):
        self.total += value


def train(model, batches, optim, scaler, losses):
    for x in batches:
        optim.zero_grad()
        loss = model(x).square().mean()
        scaler.scale(loss).backward()
        scaler.step(optim)  # check: no `scaler.update()` follows
        losses.update(loss.item())


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train(model, torch.randn(3, 8, 4), optimizer, torch.amp.GradScaler("cpu"), Meter())
scaler = torch.amp.GradScaler("cpu")
for x in torch.randn(3, 8, 4):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # check: no `scaler.update()` follows
