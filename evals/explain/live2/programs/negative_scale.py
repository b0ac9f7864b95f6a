import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self, observations=4, actions=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observations, 32), nn.Tanh())
        self.mean = nn.Linear(32, actions)
        self.spread = nn.Linear(32, actions)

    def forward(self, x):
        hidden = self.body(x)
        return self.mean(hidden), self.spread(hidden)


policy = Policy()
mean, spread = policy(torch.randn(16, 4))
actions = Normal(mean, spread).sample()
print(actions.shape)
