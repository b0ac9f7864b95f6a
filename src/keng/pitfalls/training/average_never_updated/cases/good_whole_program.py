# the good program of the page with its training
import copy

import torch
from torch import nn


class EMAModel:
    def __init__(self, model, decay=0.5):
        self.model, self.decay = copy.deepcopy(model), decay

    def step(self, model):
        for slow, fast in zip(self.model.parameters(), model.parameters()):
            slow.data.lerp_(fast.data, 1 - self.decay)

    def copy_to(self, model):
        model.load_state_dict(self.model.state_dict())


model = nn.Linear(2, 1)
first = model.weight.detach().clone()
ema = EMAModel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    model(torch.ones(4, 2)).square().mean().backward()
    optimizer.step()
    ema.step(model)
ema.copy_to(model)
