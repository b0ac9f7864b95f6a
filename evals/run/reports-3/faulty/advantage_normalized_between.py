"""Advantages that are normalized between the two terms of the minimum, after pytorch/rl pull 1033."""

import torch
from digest import show
from torch import nn

torch.manual_seed(6)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 32), nn.Tanh())
        self.actor, self.critic = nn.Linear(32, 2), nn.Linear(32, 1)

    def forward(self, states):
        h = self.body(states)
        return torch.distributions.Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


class ClipPPOLoss:
    def __init__(self, clip_epsilon=0.2):
        self.low, self.high = 1 - clip_epsilon, 1 + clip_epsilon

    def __call__(self, policy, actions, old_log_probs, advantage):
        ratio = (policy.log_prob(actions) - old_log_probs).exp()
        gain1 = ratio * advantage
        advantage = (advantage - advantage.mean()) / advantage.std().clamp_min(1e-6)  # run: clipped-policy-loss-wrong
        gain2 = ratio.clamp(self.low, self.high) * advantage
        return -torch.min(gain1, gain2).mean()


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
objective = ClipPPOLoss()
for iteration in range(12):
    states = torch.randn(128, 4)
    with torch.no_grad():
        policy, values = model(states)
        actions = policy.sample()
        old = policy.log_prob(actions)
        rewards = 5.0 + (actions == (states[:, 0] > 0).long()).float() * 2
    for _ in range(3):
        for i in torch.randperm(128).split(32):
            policy, value = model(states[i])
            loss = objective(policy, actions[i], old[i], rewards[i] - values[i])
            loss = loss + 0.5 * nn.functional.mse_loss(value, rewards[i]) - 0.01 * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(iteration, rewards.mean().item())
show(model)
