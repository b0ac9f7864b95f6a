# updated by a helper that receives it; restored; made for a prediction
import torch
from torch import nn


class EMAModel:
    def __init__(self, model):
        self.kept = [p.detach().clone() for p in model.parameters()]

    def step(self, model):
        for kept, p in zip(self.kept, model.parameters()):
            kept.lerp_(p.detach(), 0.1)

    def store(self, model):
        self.stored = [p.detach().clone() for p in model.parameters()]

    def copy_to(self, model):
        for kept, p in zip(self.kept, model.parameters()):
            p.data.copy_(kept)

    def restore(self, model):
        for stored, p in zip(self.stored, model.parameters()):
            p.data.copy_(stored)


def follow(ema, model):
    ema.step(model)


model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ema, other = EMAModel(model), EMAModel(model)
for _ in range(2):
    optimizer.zero_grad()
    model(torch.ones(4, 2)).square().mean().backward()
    optimizer.step()
    follow(other, model)
    ema.step(model)
    ema.store(model)
    ema.copy_to(model)
    ema.restore(model)
