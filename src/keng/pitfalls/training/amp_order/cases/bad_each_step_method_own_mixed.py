# each step in a method of its own, mixed into what trains
import torch
from torch import nn


class Scaled:
    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def take_step(self):
        self.norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # check: too large still
        self.scaler.step(self.optimizer)
        self.scaler.update()


class Trainer(Scaled):
    def __init__(self):
        self.model = nn.Linear(4, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu")

    def train(self, rounds):
        for x in rounds:
            self.optimizer.zero_grad()
            loss = self.model(x).square().mean()
            self.backward(loss)
            self.take_step()


trainer = Trainer()
trainer.train(torch.randn(3, 8, 4))

# proof
assert trainer.norm > 1000
