"""A run goes on from a checkpoint of which the optimizer's state is left behind."""

import os
import tempfile

import torch
from digest import show
from sklearn.datasets import load_wine
from torch import nn


class Run:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)
        self.schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, 3, 0.5)
        self.epoch = 0

    def save(self, path):
        parts = {
            "net": self.model.state_dict(),
            "optim": self.optimizer.state_dict(),
            "sched": self.schedule.state_dict(),
            "epoch": self.epoch,
        }
        torch.save(parts, path)

    def restore(self, path):
        parts = torch.load(path, weights_only=True)  # run: resume-incomplete
        self.model.load_state_dict(parts["net"])  # run: resume-incomplete
        self.schedule.load_state_dict(parts["sched"])  # run: resume-incomplete
        self.epoch = parts["epoch"]

    def go(self, epochs):
        while self.epoch < epochs:
            for part in torch.randperm(178).split(60):
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.model(x[part]), y[part]).backward()
                self.optimizer.step()  # run: resume-incomplete
            self.schedule.step()
            self.epoch += 1


torch.manual_seed(0)
x, y = load_wine(return_X_y=True)
x, y = torch.tensor((x - x.mean(0)) / x.std(0)).float(), torch.tensor(y)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "last.pt")
    first = Run()
    first.go(4)
    first.save(path)
    second = Run()
    second.restore(path)
second.go(10)
show(second.model)
