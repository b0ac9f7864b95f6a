# methods of one object: one begins the epoch with the scheduler, another one trains
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.net, self.rates = nn.Linear(2, 1), []
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=1e-3)
        self.decay = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.5)

    def begin(self):
        self.decay.step()  # check: `self.decay` steps before the optimizer  # run: decay
        self.rates.append(self.optimizer.param_groups[0]["lr"])

    def learn(self, batches):
        for x in batches:
            self.optimizer.zero_grad()
            self.net(x).square().mean().backward()
            self.optimizer.step()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.begin()
            self.learn(torch.randn(2, 4, 2))


trainer = Trainer()
trainer.fit(2)

# proof
assert trainer.rates[0] == 5e-4
