# an attribute, a term of the loss
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.model = nn.Linear(8, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.total = 0.0

    def fit(self, steps):
        for step in range(steps):
            self.optimizer.zero_grad()
            fit = self.model(torch.randn(16, 8)).square().mean()
            penalty = self.model.weight.abs().sum()
            loss = fit + 0.1 * penalty
            loss.backward()
            self.optimizer.step()
            self.total += fit  # check: a term of the loss keeps the graph too


trainer = Trainer()
trainer.fit(40)
