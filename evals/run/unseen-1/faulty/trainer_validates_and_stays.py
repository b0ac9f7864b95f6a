"""A trainer's validation puts the model into eval mode and returns early."""

import torch
from digest import show
from sklearn.datasets import load_wine
from torch import nn


class Trainer:
    def __init__(self, model, x, y):
        self.model, self.best = model, 0.0
        self.x, self.y = x, y
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        self.loss = nn.CrossEntropyLoss(label_smoothing=0.05)

    def fit(self, epochs):
        self.model.train()
        for _ in range(epochs):
            for part in torch.randperm(140).split(20):
                self.optimizer.zero_grad()
                self.loss(
                    self.model(self.x[part]),  # run: train-mode-not-restored
                    self.y[part],
                ).backward()
                self.optimizer.step()
            self.validate()

    @torch.no_grad()
    def validate(self):
        self.model.eval()  # run: train-mode-not-restored
        right = (self.model(self.x[140:]).argmax(1) == self.y[140:]).float().mean().item()
        if right > self.best:
            self.best = right
            return
        print("not better:", right)


torch.manual_seed(0)
x, y = load_wine(return_X_y=True)
order = torch.randperm(len(x))
x = torch.tensor((x - x.mean(0)) / x.std(0), dtype=torch.float32)[order]
net = nn.Sequential(
    nn.Linear(13, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 3)
)
Trainer(net, x, torch.tensor(y)[order]).fit(6)
show(net)
