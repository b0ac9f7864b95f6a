# the value of the next state, of the network in training
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(q.parameters())
for step in range(3):
    state, after, reward = torch.randn(8, 4), torch.randn(8, 4), torch.randn(8)
    action = torch.randint(2, (8, 1))
    goal = reward + 0.9 * q(after).max(1).values
    loss = F.mse_loss(q(state).gather(1, action).squeeze(1), goal)  # run: `goal` is made of
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
