# a scaler that the program implements itself; a step that the caller takes
import torch
from torch import nn


class Scaler:
    def __init__(self):
        self.inner = torch.amp.GradScaler("cpu")

    def __call__(self, loss, optimizer, parameters, last):
        self.inner.scale(loss).backward()
        if last:
            self.inner.unscale_(optimizer)
            nn.utils.clip_grad_norm_(parameters, 1.0)
            self.inner.step(optimizer)
            self.inner.update()


class Wave:
    def scale(self, loss):
        return loss * 2


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler, wave = Scaler(), Wave()
for step, x in enumerate(torch.randn(4, 8, 4)):
    loss = model(x).square().mean() / 2
    scaler(loss, optimizer, model.parameters(), last=step % 2 == 1)
    if step % 2:
        optimizer.zero_grad()
for x in torch.randn(2, 8, 4):
    optimizer.zero_grad()
    wave.scale(model(x).square().mean()).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
