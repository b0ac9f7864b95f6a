# woken with the whole model, each epoch
import torch
from torch import nn


class Tuned(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        for p in self.backbone.parameters():
            p.requires_grad = False
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.backbone(x))


def fit(model, data, optimizer):
    model.train()  # check: the backbone too
    for x in data:
        loss = model(x).square().mean()  # run: `running statistics`
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


net = Tuned()
fit(net, torch.randn(3, 16, 4) + 3, torch.optim.SGD(net.head.parameters(), lr=0.1))

# proof
assert net.backbone[1].running_mean.abs().max() > 0
