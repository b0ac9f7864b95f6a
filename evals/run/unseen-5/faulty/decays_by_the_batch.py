"""An exponential schedule meant for epochs goes on with every batch of a trainer's callback."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR
from torch.utils.data import DataLoader, TensorDataset


class Callback:
    def on_batch_end(self, trainer): ...

    def on_epoch_end(self, trainer): ...


class Schedule(Callback):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def on_batch_end(self, trainer):
        self.scheduler.step()  # run: learning-rate-vanished


class Print(Callback):
    def on_epoch_end(self, trainer):
        print(trainer.epoch, f"{trainer.last:.4f}")


class Trainer:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks

    def call(self, name):
        for callback in self.callbacks:
            getattr(callback, name)(self)

    def fit(self, loader, epochs):
        for self.epoch in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = nn.functional.cross_entropy(self.model(x), y)
                loss.backward()
                self.optimizer.step()  # run: learning-rate-vanished
                self.last = loss.item()
                self.call("on_batch_end")
            self.call("on_epoch_end")


torch.manual_seed(0)
digits = load_digits()
ds = TensorDataset(torch.tensor(digits.data).float() / 16, torch.tensor(digits.target))
model = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
schedule = ExponentialLR(optimizer, gamma=0.9)
Trainer(model, optimizer, [Schedule(schedule), Print()]).fit(DataLoader(ds, 32, shuffle=True), 8)
show(model)
