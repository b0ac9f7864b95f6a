# in a function of its own, and the rate comes from settings
from types import SimpleNamespace

import torch
from torch import nn

args = SimpleNamespace(lr=0.1, decay=0.5)


class Trainer:
    def __init__(self, model):
        self.model, self.rate = model, args.lr
        self.optim = torch.optim.AdamW(model.parameters(), lr=args.lr)

    def decay(self):
        self.rate *= args.decay
        self.optim.lr = self.rate  # run: a new attribute

    def step(self):
        self.optim.zero_grad()
        self.model(torch.randn(8, 4)).square().mean().backward()
        self.optim.step()


torch.manual_seed(0)
trainer = Trainer(nn.Linear(4, 1))
for epoch in range(3):
    trainer.step()
    trainer.decay()

# proof
assert trainer.optim.param_groups[0]["lr"] == 0.1
