"""The average follows the weights before the step, and the first one is averaged twice."""

import torch
from digest import show
from sklearn.datasets import load_iris
from torch import nn


class Ema:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {name: value.clone() for name, value in model.state_dict().items()}

    def update(self, model):
        for name, value in model.state_dict().items():
            self.shadow[name].lerp_(value, 1 - self.decay)


torch.manual_seed(0)
x, y = (torch.tensor(part) for part in load_iris(return_X_y=True))
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
ema = Ema(model, 0.95)
optimizer = torch.optim.Adam(model.parameters(), 5e-3)
for _ in range(80):
    part = torch.randint(150, (32,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x[part].float()), y[part]).backward()
    ema.update(model)  # run: -
    optimizer.step()
model.load_state_dict(ema.shadow)
show(model)
