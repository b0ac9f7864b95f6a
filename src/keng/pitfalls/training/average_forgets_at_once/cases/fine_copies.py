# a copy at each step; a decay that begins small; an average over half of the weights
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 3)
last, grown, half = (copy.deepcopy(model).requires_grad_(False) for _ in range(3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(80):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(torch.randn(8, 6)), torch.randn(8, 3)).backward()
    optimizer.step()
    last.load_state_dict(model.state_dict())
    decay = min(0.999, (1 + step) / (10 + step))
    with torch.no_grad():
        for p, one, other in zip(model.parameters(), grown.parameters(), half.parameters()):
            one.lerp_(p, 1 - decay)
            other.lerp_(p, 0.5)
