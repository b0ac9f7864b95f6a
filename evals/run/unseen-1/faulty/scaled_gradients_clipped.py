"""A trainer's callback clips while the scale is still on the gradients."""

import torch
from digest import show
from sklearn.datasets import load_breast_cancer
from torch import nn


class Clip:
    def __init__(self, bound):
        self.bound = bound

    def after_backward(self, trainer):
        nn.utils.clip_grad_norm_(trainer.model.parameters(), self.bound)  # run: amp-order


class Trainer:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def call(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def step(self, x, y):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.binary_cross_entropy_with_logits(self.model(x).squeeze(-1), y)
        self.scaler.scale(loss).backward()
        self.call("after_backward")
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        return loss.item()


torch.manual_seed(0)
x, y = load_breast_cancer(return_X_y=True)
x, y = torch.tensor((x - x.mean(0)) / x.std(0)).float(), torch.tensor(y).float()
trainer = Trainer(nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 1)), [Clip(1.0)])
for part in torch.arange(569).repeat(3).split(64):
    last = trainer.step(x[part], y[part])
print(f"{last:.4f}")
show(trainer.model)
