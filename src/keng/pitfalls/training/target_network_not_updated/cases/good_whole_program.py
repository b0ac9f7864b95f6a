# the good program of the page with its training
import copy

import torch
from torch import nn

torch.manual_seed(0)
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(q)
optimizer = torch.optim.Adam(q.parameters(), lr=1e-2)
for step in range(40):
    state, after, reward = torch.randn(16, 4), torch.randn(16, 4), torch.randn(16)
    with torch.no_grad():
        goal = reward + 0.9 * target(after).max(1).values
    loss = (q(state).max(1).values - goal).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        target.load_state_dict(q.state_dict())
