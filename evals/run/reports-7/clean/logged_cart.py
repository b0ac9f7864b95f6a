"""An in-sample actor-critic from logged drives of a cart, after https://github.com/hwang-ua/inac_pytorch/issues/1."""

import copy
import math

import torch
from torch import nn
from torch.distributions import Normal
from torch.nn import functional as F

STEPS, UPDATES, BATCH, GAMMA, TAU = 30, 600, 128, 0.95, 0.1
LOG_TWO = math.log(2)
torch.manual_seed(23)


def move(state, action):
    """The cart wants to stand at 0; pushing costs."""
    place, speed = state.unbind(-1)
    push = action.squeeze(-1).clamp(-1, 1)
    reward = -(place**2) - 0.1 * speed**2 - 0.05 * push**2
    speed = 0.9 * speed + 0.4 * push
    return torch.stack([place + 0.3 * speed, speed], -1), reward


def start(count, generator):
    return torch.cat([3 * torch.rand(count, 1, generator=generator) - 1.5, torch.zeros(count, 1)], 1)


def drives(count, seed):
    """What a poor driver did: half steering, half chance."""
    generator = torch.Generator().manual_seed(seed)
    state, rows = start(count, generator), []
    for _ in range(STEPS):
        noise = 0.6 * torch.randn(count, 1, generator=generator)
        action = (-0.5 * state[:, :1] - 0.3 * state[:, 1:] + noise).clamp(-1, 1)
        after, reward = move(state, action)
        rows.append((state, action, reward, after))
        state = after
    return [torch.cat(column) for column in zip(*rows)]


def mlp(inputs, outputs, width=48):
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs))


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = mlp(2, 1)
        self.log_std = nn.Parameter(torch.tensor([-0.5]))

    def distribution(self, state):
        return Normal(torch.tanh(self.body(state)), self.log_std.clamp(-4, 0).exp())

    def log_prob(self, distribution, action):
        density = distribution.log_prob(action)
        return density.sum(-1)

    def forward(self, state):
        distribution = self.distribution(state)
        action = distribution.rsample()
        return action, self.log_prob(distribution, action)

    def of(self, state, action):
        return self.log_prob(self.distribution(state), action)


@torch.no_grad()
def evaluate(policy, count=200):
    state, total = start(count, torch.Generator().manual_seed(9)), 0.0
    for _ in range(STEPS):
        state, reward = move(state, policy.distribution(state).mean)
        total += reward.mean().item()
    return total


states, actions, rewards, afters = drives(120, 1)
policy, behaviour, critic, value = Policy(), Policy(), mlp(3, 1), mlp(2, 1)
target = copy.deepcopy(critic).requires_grad_(False)
optimizers = {net: torch.optim.Adam(net.parameters(), lr=2e-3) for net in (policy, behaviour, critic, value)}


def update(net, loss):
    optimizers[net].zero_grad()
    loss.backward()
    optimizers[net].step()
    return loss.item()


for i in range(UPDATES):
    rows = torch.randint(len(states), (BATCH,))
    state, action, reward, after = states[rows], actions[rows], rewards[rows], afters[rows]
    update(behaviour, -behaviour.of(state, action).mean())
    with torch.no_grad():
        drawn, likely = policy(state)
        aim = target(torch.cat([state, drawn], 1)).squeeze(1) - TAU * likely
    value_loss = update(value, F.mse_loss(value(state).squeeze(1), aim))
    with torch.no_grad():
        drawn, likely = policy(after)
        aim = reward + GAMMA * (target(torch.cat([after, drawn], 1)).squeeze(1) - TAU * likely)
    critic_loss = update(critic, F.mse_loss(critic(torch.cat([state, action], 1)).squeeze(1), aim))
    with torch.no_grad():
        gain = target(torch.cat([state, action], 1)).squeeze(1) - value(state).squeeze(1)
        weight = (gain / TAU - behaviour.of(state, action)).exp().clamp(1e-8, 100)
        for slow, fast in zip(target.parameters(), critic.parameters()):
            slow.lerp_(fast, 0.02)
    update(policy, -(weight * policy.of(state, action)).mean())
    if i % 200 == 199:
        print(f"update {i + 1} value {value_loss:.4f} critic {critic_loss:.4f} return {evaluate(policy):.4f}")
with torch.no_grad():
    distribution = policy.distribution(states)
    true = distribution.entropy().mean().item()
    said = -policy(states.repeat(4, 1))[1].mean().item()
print(f"return {evaluate(policy):.4f} entropy {true:.4f} estimate from the samples {said:.4f}")
print(f"mean value {value(states).mean().item():.4f} std {distribution.stddev.mean().item():.4f}")
weights = [p for net in (policy, behaviour, critic, value) for p in net.parameters()]
print(f"checksum {sum(p.double().sum() for p in weights).item():.6f}")
