# a coin, gumbel_softmax, a second softmax behind the forward of a model
import torch
from torch import nn
from torch.distributions import Bernoulli
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        return F.softmax(self.out(x), dim=1)


torch.manual_seed(0)
net, x = Net(), torch.randn(5, 4)
gate = torch.sigmoid(net.out(x))
coin = Bernoulli(logits=gate)  # check: `gate` holds probabilities
shares = net.out(x).softmax(-1)
choice = F.gumbel_softmax(shares, tau=0.5)  # check: `shares` holds probabilities
scores = F.log_softmax(net(x), dim=1)  # check: went through softmax already

# proof
assert coin.probs.min() > 0.5
assert scores.exp().max() < 0.6
