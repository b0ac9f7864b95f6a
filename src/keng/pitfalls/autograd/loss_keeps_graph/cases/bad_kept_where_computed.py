# the method that computes the loss keeps its mean in a dictionary of lists
import torch
from torch import nn
from torch.nn import functional as F


class Trainer:
    def __init__(self):
        self.net = nn.Linear(3, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.metrics = {"loss": []}

    def compute(self, x, y):
        loss = F.mse_loss(self.net(x), y)
        self.metrics["loss"].append(loss.mean())  # check: keeps the graph of every step
        return loss

    def fit(self, batches):
        for x in batches:
            loss = self.compute(x, torch.zeros(4, 1))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


trainer = Trainer()
trainer.fit(torch.ones(3, 4, 3))

# proof
assert all(each.grad_fn is not None for each in trainer.metrics["loss"])
