# of a second phase, groups that leave a layer out
import torch
from torch import nn


def fit(model, optimizer, rounds):
    for _ in range(rounds):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()  # run: `model.1.weight` stays


torch.manual_seed(0)
first = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
fit(first, torch.optim.SGD(first.parameters(), lr=0.1), 30)
model = nn.Sequential(first[0], nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 3))
before = model[1].weight.clone()
groups = [{"params": model[0].parameters(), "lr": 0.01}, {"params": model[3].parameters()}]
fit(model, torch.optim.SGD(groups, lr=0.1), 20)

# proof
assert torch.equal(before, model[1].weight)
