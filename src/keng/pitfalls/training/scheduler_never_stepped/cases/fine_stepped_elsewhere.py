# stepped by a method of another object, by a list, by the schedule that it is part of, or by a function
import torch
from torch import nn
from torch.optim.lr_scheduler import ConstantLR, ExponentialLR, SequentialLR, StepLR
from torch.utils.data import DataLoader


class Hook:
    def __init__(self, scheduler):
        self.plan = scheduler

    def after_epoch(self):
        self.plan.step()


class Trainer:
    def __init__(self, model, data):
        self.model = model
        self.loader = DataLoader(data, batch_size=5)
        self.optimizer, self.decay = self.made()
        self.hook = Hook(StepLR(self.optimizer, step_size=1))
        self.others = [ExponentialLR(self.optimizer, gamma=0.9)]
        warm, then = ConstantLR(self.optimizer), StepLR(self.optimizer, step_size=2)
        self.both = SequentialLR(self.optimizer, [warm, then], milestones=[2])

    def made(self):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        decay = ExponentialLR(optimizer, gamma=0.9)
        return optimizer, decay

    def epoch(self):
        for batch in self.loader:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()
        self.hook.after_epoch()
        for scheduler in [*self.others, self.both]:
            scheduler.step()


def decayed(trainer):
    trainer.decay.step()


trainer = Trainer(nn.Linear(2, 1), torch.ones(20, 2))
for _ in range(3):
    trainer.epoch()
    decayed(trainer)
