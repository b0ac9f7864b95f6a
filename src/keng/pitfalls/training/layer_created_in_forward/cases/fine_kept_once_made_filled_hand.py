# created once and kept; weights filled by hand; no parameters; only in training; the mode is passed on
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = None

    def forward(self, x, y=None):
        if self.head is None:
            self.head = nn.Linear(x.shape[-1], 2)
        scale = nn.Linear(4, 4, bias=False)
        scale.weight.data[:] = torch.eye(4)
        x = nn.ReLU()(scale(x))
        if self.training:
            x = nn.Dropout(0.1)(x)
        x = nn.Dropout(0.1).train(self.training)(x)
        return self.head(x) if y is None else nn.MSELoss()(self.head(x), y)


y = Net()(torch.ones(1, 4), torch.ones(1, 2))
