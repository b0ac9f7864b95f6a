# the values of the actions taken
import torch
from torch import nn

torch.manual_seed(0)
q, target = nn.Linear(4, 3), nn.Linear(4, 3)
optimizer = torch.optim.SGD(q.parameters(), lr=0.1)
for step in range(3):
    state, after, reward = torch.randn(16, 4), torch.randn(16, 4), torch.randn(16)
    action = torch.randint(3, (16, 1))
    with torch.no_grad():
        goal = reward + 0.9 * target(after).max(1).values
    off = goal - q(state).gather(1, action)  # run: (16, 1) and (16,)
    optimizer.zero_grad()
    off.square().mean().backward()
    optimizer.step()
