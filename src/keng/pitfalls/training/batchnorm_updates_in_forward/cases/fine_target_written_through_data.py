# a target network that is updated through `.data`
import copy

import torch
from torch import nn

torch.manual_seed(0)
online = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
target, guess = copy.deepcopy(online).requires_grad_(False), nn.Linear(8, 8)
optimizer = torch.optim.SGD([*online.parameters(), *guess.parameters()], lr=0.1)
for step in range(6):
    x = torch.randn(16, 4)
    with torch.no_grad():
        goal = target(x + 0.1)
    optimizer.zero_grad()
    (guess(online(x)) - goal).square().mean().backward()
    optimizer.step()
    for slow, fast in zip(target.parameters(), online.parameters()):
        slow.data.mul_(0.9).add_(fast.data, alpha=0.1)
