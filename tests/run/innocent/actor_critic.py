"""Reinforcement learning: rollouts without gradients between updates, log-probabilities kept until the end of
an episode, a target network."""

import copy

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 2))
value = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
target = copy.deepcopy(value).requires_grad_(False)
optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-3)
for episode in range(8):
    log_probs, values, rewards = [], [], []
    state = torch.randn(4)
    for t in range(10):
        action = Categorical(logits=policy(state))
        chosen = action.sample()
        log_probs.append(action.log_prob(chosen))
        values.append(value(state).squeeze(-1))
        with torch.no_grad():
            rewards.append(target(state).squeeze(-1) + torch.randn(()))
        state = torch.randn(4)
    returns = torch.stack(rewards).flip(0).cumsum(0).flip(0)
    log_probs, values = torch.stack(log_probs), torch.stack(values)
    loss = -(log_probs * (returns - values.detach())).mean() + (returns - values).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for p, q in zip(target.parameters(), value.parameters()):
            p.lerp_(q, 0.05)
