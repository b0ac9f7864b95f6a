# a backbone that is loaded into a model with a new head, which is trained next; an older state; what a forward keeps
import copy

import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(6, 8), nn.Linear(8, 2)
        self.last = torch.zeros(1)
        self.scale = torch.full((8,), 0.5)

    def forward(self, x):
        hidden = self.body(x) * self.scale
        self.last = hidden.detach().mean()
        return self.head(hidden)


def fit(model, parameters):
    optimizer = torch.optim.SGD(parameters, lr=0.05)
    for step in range(4):
        optimizer.zero_grad()
        model(torch.randn(8, 6)).square().mean().backward()
        optimizer.step()


def score(model):
    model.eval()
    with torch.no_grad():
        value = model(torch.ones(4, 6)).sum().item()
    model.train()
    return value


first = Net()
fit(first, first.parameters())
early = copy.deepcopy(first.state_dict())
fit(first, first.head.parameters())
baseline = Net()
baseline.load_state_dict(early)
other = Net()
other.body.load_state_dict(first.body.state_dict())
fit(other, other.parameters())
same = Net()
same.load_state_dict(first.state_dict())
scores = [score(each) for each in (first, baseline, other, same)]
