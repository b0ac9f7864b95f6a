"""PPO: a rollout under no_grad in train mode, then several epochs of minibatches over it."""

import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Dropout(0.05))
        self.mean, self.value = nn.Linear(32, 2), nn.Linear(32, 1)
        self.log_std = nn.Parameter(torch.zeros(2))

    def forward(self, state):
        hidden = self.body(state)
        return Normal(self.mean(hidden), self.log_std.exp()), self.value(hidden).squeeze(-1)


agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
for update in range(4):
    states, actions, old = [], [], []
    for t in range(32):
        state = torch.randn(8, 4)
        with torch.no_grad():
            distribution, _ = agent(state)
            action = distribution.sample()
        states.append(state)
        actions.append(action)
        old.append(distribution.log_prob(action).sum(-1))
    states, actions, old = torch.cat(states), torch.cat(actions), torch.cat(old)
    returns = torch.randn(len(states))
    for epoch in range(2):
        for rows in torch.randperm(len(states)).split(64):
            distribution, value = agent(states[rows])
            ratio = (distribution.log_prob(actions[rows]).sum(-1) - old[rows]).exp()
            advantage = returns[rows] - value.detach()
            surrogate = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
            loss = -surrogate.mean() + 0.5 * (returns[rows] - value).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
