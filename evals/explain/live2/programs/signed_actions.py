import torch
from torch import nn
from torch.distributions import Bernoulli

torch.manual_seed(1)
policy = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
states = torch.randn(10, 3)
moves = torch.where(torch.rand(10) < 0.5, -1.0, 1.0)
rewards = torch.randn(10)

chosen = Bernoulli(logits=policy(states).squeeze(1))
loss = -(chosen.log_prob(moves) * rewards).mean()
loss.backward()
