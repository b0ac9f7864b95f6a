# a copy that gives the targets is loaded, and the loss leaves zero
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
target = copy.deepcopy(model)
target.load_state_dict(model.state_dict())
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(16):
    x = torch.randn(64, 8)
    with torch.no_grad():
        goal = target(x) + (step > 0)
    optimizer.zero_grad()
    loss = (model(x) - goal).square().mean() + 1e-6
    loss.backward()
    optimizer.step()
