# used from outside, by a subclass, by its name as a string, or in a loop over all children; kept for old checkpoints
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)
        self.old = nn.Linear(4, 4)  # unused, in old checkpoints
        self.flat = nn.Identity()

    def forward(self, x):
        return self.stem(x)


class Whole(Base):
    def forward(self, x):
        return self.head(super().forward(x))


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 4)
        self.two = nn.Dropout(0.1)

    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x


class Outside(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.probe = nn.Linear(4, 2)

    def forward(self, x):
        return self.body(x)


model = Outside()
scores = model.probe(model(torch.ones(2, 4))) + Whole()(Chain()(torch.ones(2, 4)))
