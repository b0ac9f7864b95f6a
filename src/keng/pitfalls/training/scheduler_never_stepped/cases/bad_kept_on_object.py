# the trainer keeps the scheduler and saves its state, and no method steps it
import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, data):
        self.model = model
        self.loader = DataLoader(data, batch_size=5)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = StepLR(self.optimizer, step_size=1)  # check: `self.scheduler` is created here  # run: never stepped

    def epoch(self):
        for batch in self.loader:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()

    def state(self):
        return {"model": self.model.state_dict(), "scheduler": self.scheduler.state_dict()}


trainer = Trainer(nn.Linear(2, 1), torch.ones(20, 2))
rates = []
for epoch in range(6):
    trainer.epoch()
    rates.append(trainer.scheduler.get_last_lr())
state = trainer.state()
# proof
assert rates[0] == rates[-1]
