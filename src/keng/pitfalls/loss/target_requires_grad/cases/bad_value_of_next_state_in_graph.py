# an actor-critic: the value of the next state comes from the critic that learns, with its graph
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(12):
    state, following = torch.randn(32, 3), torch.randn(32, 3)
    reward, done = torch.randn(32, 1), (torch.rand(32, 1) < 0.1).float()
    goal = reward + 0.99 * critic(following) * (1 - done)
    loss = F.mse_loss(critic(state), goal)  # run: `goal` is made of what `critic` predicts
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
