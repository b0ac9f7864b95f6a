# a target network that follows the model, statistics included
import copy

import torch
from torch import nn


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.target = copy.deepcopy(self.online)
        for parameter in self.target.parameters():
            parameter.requires_grad = False

    @torch.no_grad()
    def follow(self):
        for mine, other in zip(self.target.parameters(), self.online.parameters()):
            mine.data = 0.9 * mine.data + 0.1 * other.data

    def forward(self, x):
        return self.online(x) - self.target(x)


model = Student()
optimizer = torch.optim.SGD(model.online.parameters(), lr=0.1)
for step in range(4):
    loss = model(torch.randn(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.follow()
