# a trainer with two optimizers saves the state of one
import os
import tempfile

import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.net, self.discr = nn.Linear(2, 1), nn.Linear(1, 1)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=0.1)
        self.discr_optim = torch.optim.Adam(self.discr.parameters(), lr=0.1)

    def step(self, x):
        for optimizer in (self.optim, self.discr_optim):
            optimizer.zero_grad()
        self.optim.zero_grad()
        self.discr_optim.zero_grad()
        self.discr(self.net(x)).sum().backward()
        self.optim.step()
        self.discr_optim.step()

    def save(self, path):
        package = dict(net=self.net.state_dict(), discr=self.discr.state_dict(), optim=self.optim.state_dict())
        torch.save(package, path)  # check: the checkpoint has the state of `optim` and not that of `discr_optim`


trainer = Trainer()
trainer.step(torch.ones(3, 2))
path = os.path.join(tempfile.mkdtemp(), "last.pt")
trainer.save(path)

# proof
assert "discr_optim" not in torch.load(path)
