# bound to a new tensor
import copy

import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(4, 4)
        self.slow = copy.deepcopy(self.online).requires_grad_(False)
        self.guess = nn.Linear(4, 4)

    def follow(self):
        for slow, fast in zip(self.slow.parameters(), self.online.parameters()):
            slow = 0.99 * slow + 0.01 * fast  # check: a name, and no memory

    def forward(self, x):
        return (self.guess(self.online(x)) - self.slow(x)).square().mean()


torch.manual_seed(0)
pair = Pair()
before = pair.slow.weight.clone()
optimizer = torch.optim.SGD([*pair.online.parameters(), *pair.guess.parameters()], lr=0.1)
for step in range(40):
    optimizer.zero_grad()
    pair(torch.randn(16, 4)).backward()
    optimizer.step()
    pair.follow()

# proof
assert torch.equal(pair.slow.weight, before)
