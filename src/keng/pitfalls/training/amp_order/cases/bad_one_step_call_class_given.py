# one step a call, of a class that is given the scaler
import torch
from torch import nn


class Engine:
    def __init__(self, model, optimizer, scaler):
        self.model, self.optimizer, self.scaler = model, optimizer, scaler

    def train_step(self, x):
        self.optimizer.zero_grad()
        loss = self.model(x).square().mean()
        self.scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # check: 65536 times too large
        self.scaler.step(self.optimizer)
        self.scaler.update()


model = nn.Linear(4, 1)
engine = Engine(model, torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler("cpu"))
for x in torch.randn(3, 8, 4):
    engine.train_step(x)
