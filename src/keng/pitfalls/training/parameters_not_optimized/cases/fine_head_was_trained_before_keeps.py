# a head that was trained before keeps its last gradient
import torch
from torch import nn


class Tasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 3)
        self.heads = nn.ModuleDict({"old": nn.Linear(3, 1), "new": nn.Linear(3, 1)})

    def forward(self, x, head):
        return self.heads[head](self.backbone(x))


def train(model, head, parameters, steps):
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    for step in range(steps):
        optimizer.zero_grad()
        model(torch.randn(8, 4), head).square().mean().backward()
        optimizer.step()


torch.manual_seed(0)
model = Tasks()
train(model, "old", model.parameters(), 12)
for p in model.backbone.parameters():
    p.requires_grad = False
train(model, "new", model.heads["new"].parameters(), 12)
