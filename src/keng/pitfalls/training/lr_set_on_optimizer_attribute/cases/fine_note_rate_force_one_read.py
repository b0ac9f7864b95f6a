# an attribute that records the rate; one that is read later; an optimizer that reads its own attribute
import torch
from torch import nn


class Plain(torch.optim.Optimizer):
    def __init__(self, parameters, rate):
        super().__init__(parameters, {"lr": 1.0})
        self.lr = rate

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                p -= self.lr * p.grad


def train(model, optimizer):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()


torch.manual_seed(0)
model = nn.Linear(4, 1)
noted = torch.optim.SGD(model.parameters(), lr=0.1)
noted.lr = 0.1
train(model, noted)
train(model, Plain(model.parameters(), 0.01))
slow = torch.optim.SGD(model.parameters(), lr=0.1)
slow.lr = 0.05
train(model, slow)
train(model, torch.optim.SGD(model.parameters(), lr=slow.lr))
