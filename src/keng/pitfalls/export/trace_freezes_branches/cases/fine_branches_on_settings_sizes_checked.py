# branches on settings, a check of the shape, and a test for None
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.layer, self.deep = nn.Linear(2, 2), deep

    def forward(self, x, mask=None):
        if x.dim() != 2:
            raise ValueError("two dimensions are wanted")
        if self.deep and mask is None:
            x = self.layer(x)
        if self.training:
            x = x + torch.randn_like(x)
        return self.layer(x)


class Branching(nn.Module):
    def forward(self, x):
        return x if bool(x.sum() > 0) else -x


exported = torch.export.export(Net(deep=True).eval(), (torch.ones(1, 2),))
y = Branching()(torch.ones(2))


def export(path):
    torch.onnx.export(Net(deep=True).eval(), (torch.ones(1, 2),), path, dynamo=False)
