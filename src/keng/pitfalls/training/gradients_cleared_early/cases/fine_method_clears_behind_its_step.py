# a method of one micro-batch clears where it has stepped; another one steps each time
import torch
from torch import nn


class Trainer:
    def __init__(self, accumulation):
        self.model = nn.Linear(1, 1, bias=False)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.accumulation, self.step = accumulation, 0

    def fit_batch(self, x):
        self.step += 1
        should_step = self.step % self.accumulation == 0
        loss = self.model(x).mean()
        (loss / self.accumulation).backward()
        if should_step:
            self.optimizer.step()
            self.optimizer.zero_grad()

    def fit_at_once(self, x):
        self.optimizer.zero_grad()
        self.model(x).mean().backward()
        self.optimizer.step()
        if self.step % self.accumulation == 0:
            print("a line for every few steps")


trainer = Trainer(2)
for x in torch.ones(4, 2, 1):
    trainer.fit_batch(x)
trainer.fit_at_once(torch.ones(2, 1))
