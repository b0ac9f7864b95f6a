"""A policy's gradients are clipped before the backward: there are none yet, and none is ever clipped."""

from dataclasses import dataclass

import torch
from digest import show
from torch import nn
from torch.distributions import Normal


@dataclass
class Config:
    horizon: int = 128
    epochs: int = 4
    minibatches: int = 4
    clip: float = 0.2
    entropy: float = 0.01
    max_grad_norm: float = 0.5
    lr: float = 3e-4
    iterations: int = 5


class Pursuit:
    """Follow a point that wanders; vectorised over eight copies."""

    def __init__(self, copies=8):
        self.me, self.it = torch.zeros(copies, 2), torch.randn(copies, 2)

    def seen(self):
        return torch.cat([self.me, self.it], 1)

    def step(self, action):
        self.me = (self.me + 0.2 * action.clamp(-1, 1)).clamp(-3, 3)
        self.it = (self.it + 0.05 * torch.randn_like(self.it)).clamp(-2, 2)
        return -(self.me - self.it).norm(dim=1)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
        self.critic = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.zeros(2))

    def policy(self, seen):
        return Normal(self.actor(seen), self.log_std.exp())

    def value(self, seen):
        return self.critic(seen).squeeze(-1)


@torch.no_grad()
def rollout(agent, world, config, gamma=0.95, lam=0.9):
    seen, actions, logs, rewards, values = [], [], [], [], []
    for _ in range(config.horizon // 8):
        now = world.seen()
        policy = agent.policy(now)
        action = policy.sample()
        rewards.append(world.step(action))
        seen.append(now)
        actions.append(action)
        logs.append(policy.log_prob(action).sum(-1))
        values.append(agent.value(now))
    values.append(agent.value(world.seen()))
    carried, gains = 0.0, []
    for t in reversed(range(len(rewards))):
        carried = rewards[t] + gamma * values[t + 1] - values[t] + gamma * lam * carried
        gains.insert(0, carried)
    gains, values = torch.cat(gains), torch.cat(values[:-1])
    return torch.cat(seen), torch.cat(actions), torch.cat(logs), gains, gains + values


def update(agent, optimizer, batch, config):
    count = len(batch[0])
    for _ in range(config.epochs):
        for picked in torch.randperm(count).chunk(config.minibatches):
            seen, actions, before, gains, returns = (column[picked] for column in batch)
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            policy = agent.policy(seen)
            ratio = (policy.log_prob(actions).sum(-1) - before).exp()
            kept = ratio.clamp(1 - config.clip, 1 + config.clip)
            policy_loss = -torch.min(ratio * gains, kept * gains).mean()
            value_loss = 0.5 * (agent.value(seen) - returns).pow(2).mean()
            loss = policy_loss + value_loss - config.entropy * policy.entropy().sum(-1).mean()
            optimizer.zero_grad()
            nn.utils.clip_grad_norm_(agent.parameters(), config.max_grad_norm)  # run: clipped-too-late
            loss.backward()
            optimizer.step()
    return loss.item()


torch.manual_seed(0)
config, world, agent = Config(), Pursuit(), ActorCritic()
optimizer = torch.optim.Adam(agent.parameters(), lr=config.lr, eps=1e-5)
for iteration in range(config.iterations):
    batch = rollout(agent, world, config)
    print(iteration, f"{update(agent, optimizer, batch, config):.3f}")
show(agent)
