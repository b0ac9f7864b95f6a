# the method that computes the loss keeps numbers, or lists that are emptied
import torch
from torch import nn
from torch.nn import functional as F


class Trainer:
    def __init__(self):
        self.net = nn.Linear(3, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.metrics, self.recent = {"loss": []}, []

    def compute(self, x, y):
        loss = F.mse_loss(self.net(x), y)
        self.metrics["loss"].append(loss.item())
        self.recent.append(loss)
        return loss

    def fit(self, batches):
        for x in batches:
            loss = self.compute(x, torch.zeros(4, 1))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.recent.clear()


Trainer().fit(torch.ones(3, 4, 3))
