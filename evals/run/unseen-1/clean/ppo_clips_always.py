"""PPO: rollouts kept for one update, advantages normalized, the norm clipped to 0.5 nearly always."""

import torch
from digest import show
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 3))
        self.critic = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, s):
        return Categorical(logits=self.actor(s)), self.critic(s).squeeze(-1)


@torch.no_grad()
def rollout(policy, steps):
    s, kept = torch.zeros(8, 4), []
    for _ in range(steps):
        dist, value = policy(s)
        action = dist.sample()
        reward = -(s[:, 0] - action + 1).abs() * 5
        kept.append((s, action, dist.log_prob(action), value, reward))
        s = 0.8 * s + 0.3 * torch.randn(8, 4)
    return [torch.cat(part) for part in zip(*kept)]


torch.manual_seed(0)
policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4, eps=1e-5)
for update in range(12):
    s, a, old, value, reward = rollout(policy, 32)
    advantage = reward - value
    for _ in range(4):
        for part in torch.randperm(len(s)).split(64):
            dist, now = policy(s[part])
            ratio = (dist.log_prob(a[part]) - old[part]).exp()
            gain = advantage[part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
            loss = loss + 0.5 * (now - reward[part]).pow(2).mean() - 0.01 * dist.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
show(policy)
