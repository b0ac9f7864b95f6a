# both optimizers are saved; a checkpoint of weights alone
import os
import tempfile

import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.net = nn.Linear(2, 1)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=0.1)
        self.bias_optim = torch.optim.SGD([self.net.bias], lr=0.1)

    def step(self, x):
        self.optim.zero_grad()
        self.bias_optim.zero_grad()
        self.net(x).sum().backward()
        self.optim.step()
        self.bias_optim.step()

    def save(self, path):
        states = {"optim": self.optim.state_dict(), "bias": self.bias_optim.state_dict()}
        torch.save({"net": self.net.state_dict(), **states}, path)

    def export(self, path):
        torch.save(self.net.state_dict(), path)


trainer = Trainer()
trainer.step(torch.ones(3, 2))
folder = tempfile.mkdtemp()
trainer.save(os.path.join(folder, "last.pt"))
trainer.export(os.path.join(folder, "weights.pt"))
