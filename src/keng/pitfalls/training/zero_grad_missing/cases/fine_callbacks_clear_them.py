# callbacks clear the gradients
import torch
from torch import nn


class Callback:
    def on_batch_start(self, trainer): ...


class Clearing(Callback):
    def on_batch_start(self, trainer):
        trainer.optimizer.zero_grad()


class Trainer:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def emit(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def fit(self, batches):
        for x in batches:
            self.emit("on_batch_start")
            self.model(x).square().mean().backward()
            self.optimizer.step()


Trainer(nn.Linear(4, 1), [Callback(), Clearing()]).fit([torch.randn(8, 4) for _ in range(3)])
