# a method takes one micro-batch, steps every fourth time and clears each time
import torch
from torch import nn


class Trainer:
    def __init__(self, accumulation):
        self.model = nn.Linear(1, 1, bias=False)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.accumulation, self.step, self.sums = accumulation, 0, []

    def fit_batch(self, x):
        self.step += 1
        should_step = self.step % self.accumulation == 0
        self.optimizer.zero_grad()  # check: `self.optimizer` steps once in `self.accumulation`
        loss = self.model(x).mean()
        (loss / self.accumulation).backward()
        if should_step:
            self.sums.append(self.model.weight.grad.item())
            self.optimizer.step()


trainer = Trainer(4)
for x in torch.ones(4, 2, 1):
    trainer.fit_batch(x)

# proof
assert trainer.sums == [0.25]
