# an optimizer that is reset to an earlier state
import copy

import torch
from torch import nn

x, y = torch.randn(32, 4), torch.randn(32, 1)
model = nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for trial in range(3):
    before = copy.deepcopy(optimizer.state_dict())
    weights = copy.deepcopy(model.state_dict())
    for group in optimizer.param_groups:
        group["lr"] = 0.001
    for _ in range(3):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if trial < 2:
        model.load_state_dict(weights)
        optimizer.load_state_dict(before)
