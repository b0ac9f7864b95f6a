# both columns, both rows, and a maximum that keeps its dimension
import torch
from torch import nn
from torch.nn import functional as F

net, target = nn.Linear(4, 3), nn.Linear(4, 3)
states, following = torch.randn(5, 4), torch.randn(5, 4)
actions, rewards = torch.randint(3, (5,)), torch.randn(5)
chosen = net(states).gather(1, actions.unsqueeze(1))
largest = target(following).max(1)[0].detach()
F.mse_loss(chosen.squeeze(1), rewards + largest)
F.mse_loss(chosen, (rewards + largest).unsqueeze(1))
F.mse_loss(chosen, rewards[:, None] + largest.view(-1, 1))
F.mse_loss(chosen, rewards[:, None] + target(following).max(1, keepdim=True)[0].detach())
error = chosen[:, 0] - largest
rows = net(states).gather(1, actions.unsqueeze(1)).squeeze()
F.mse_loss(rows, largest)
