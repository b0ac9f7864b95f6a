# one method clears and goes backward, another one steps for every fourth micro-batch
import torch
from torch import nn


class Trainer:
    def __init__(self, accumulation):
        self.model = nn.Linear(1, 1, bias=False)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.accumulation, self.sums = accumulation, []

    def accumulate(self, x):
        self.optimizer.zero_grad()  # check: `self.optimizer` steps on line 19
        (self.model(x).mean() / self.accumulation).backward()

    def update(self, step):
        if step % self.accumulation == 0:
            self.sums.append(self.model.weight.grad.item())
            self.optimizer.step()

    def fit(self, batches):
        for step, x in enumerate(batches, 1):
            self.accumulate(x)
            self.update(step)


trainer = Trainer(4)
trainer.fit(torch.ones(4, 2, 1))

# proof
assert trainer.sums == [0.25]
