# log_softmax; softmax only for reading, in attention, or before another loss
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.score, self.fc = nn.Linear(8, 1), nn.Linear(8, 3)

    def forward(self, x):
        weights = F.softmax(self.score(x), dim=1)
        x = self.fc((weights * x).sum(1))
        if not self.training:
            return F.softmax(x, dim=1)
        return x


net = Net()
x, y = torch.randn(16, 5, 8), torch.randint(3, (16,))
F.cross_entropy(net(x), y).backward()
F.cross_entropy(F.log_softmax(net(x), dim=1), y).backward()
F.nll_loss(F.log_softmax(net(x), dim=1), y).backward()
brier = F.mse_loss(F.softmax(net(x), dim=1), F.one_hot(y, 3).float())
brier.backward()
