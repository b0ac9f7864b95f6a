# a momentum of another framework, a bias for a truth value, nonzero as in NumPy, an iterator that is used twice
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, old):
        super().__init__()
        self.norm = nn.BatchNorm1d(2, momentum=0.99)  # check: `momentum` is the share of the new batch
        self.layer = nn.Linear(old.in_features, 1, bias=old.bias)  # check: `bias` takes True or False
        self.steps = zip([1, 2], [0.1, 0.01])  # check: `zip` gives an iterator

    def forward(self, x):
        return self.layer(self.norm(x))


def ended(n):
    done = torch.ones(n, dtype=torch.bool)
    found = []
    for i in done.nonzero()[0].tolist():  # check: has one row for each position
        found.append(i)
    return found


def settings(steps, rates):
    return {"steps": zip(steps, rates)}  # check: `zip` gives an iterator


net = Net(nn.Linear(2, 1))
net(torch.ones(4, 2) * 5)
options = settings([1, 2], [0.1, 0.01])

# proof
assert net.norm.running_mean[0] > 4.9 and ended(3) == [0]
assert len(list(net.steps)) == 2 and not list(net.steps)
assert len(list(options["steps"])) == 2 and not list(options["steps"])
