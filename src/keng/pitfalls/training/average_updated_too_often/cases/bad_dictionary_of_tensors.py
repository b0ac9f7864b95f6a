# a dictionary of tensors, that is bound anew; in a class
import torch
from torch import nn


class Shadow:
    def __init__(self, model):
        self.values = {name: p.detach().clone() for name, p in model.named_parameters()}

    def take(self, model):
        for name, p in model.named_parameters():
            self.values[name] = 0.9 * self.values[name] + 0.1 * p.detach()


class Trainer:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.shadow = Shadow(self.model)

    def train(self, batches, accumulate):
        for batch in range(batches):
            loss = (self.model(torch.randn(8, 3)) - 1).square().mean()
            (loss / accumulate).backward()
            if (batch + 1) % accumulate == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.shadow.take(self.model)  # run: averaged after each backward


Trainer().train(40, 2)
