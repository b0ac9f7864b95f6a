# in a function that is given them
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(x).flatten()


def positives(scores):
    return (scores >= 0.5).long()  # check: as well


torch.manual_seed(0)
net, x, y = Net(), torch.randn(64, 4), torch.randint(2, (64,)).float()
loss = F.binary_cross_entropy_with_logits(net(x), y)
found = positives(net(x).cpu())

# proof
assert found.sum() < (net(x) >= 0).sum()
