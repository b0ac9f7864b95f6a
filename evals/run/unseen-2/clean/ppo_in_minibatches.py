"""PPO with advantages by hand, several epochs a rollout, and a policy and a value that share nothing."""

import torch
from digest import show
from torch import nn
from torch.distributions import Normal


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.full((1,), -0.5))

    def forward(self, state):
        return Normal(self.mean(state), self.log_std.exp())


def rollout(policy, value, length):
    state, rows = torch.randn(16, 2), []
    for _ in range(length):
        with torch.no_grad():
            action = policy(state).sample()
            rows.append((state, action, policy(state).log_prob(action), value(state).squeeze(1)))
        place = state[:, :1] + 0.1 * state[:, 1:]
        state = torch.cat([place, 0.95 * state[:, 1:] + 0.2 * action.clamp(-1, 1)], 1)
        rows[-1] += (-state[:, 0].abs(),)
    with torch.no_grad():
        return [torch.stack(part) for part in zip(*rows)], value(state).squeeze(1)


def advantages(rewards, values, last, gamma=0.97, trace=0.9):
    out, carried, after = torch.zeros_like(rewards), torch.zeros(rewards.shape[1]), last
    for t in reversed(range(len(rewards))):
        carried = rewards[t] + gamma * after - values[t] + gamma * trace * carried
        out[t], after = carried, values[t]
    return out


torch.manual_seed(0)
policy, value = Policy(), nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
actor = torch.optim.Adam(policy.parameters(), 1e-3)
critic = torch.optim.Adam(value.parameters(), 2e-3)
for turn in range(8):
    (states, actions, before, values, rewards), last = rollout(policy, value, 32)
    gain = advantages(rewards, values, last)
    goal = (gain + values).flatten()
    flat = states.flatten(0, 1), actions.flatten(0, 1), before.flatten(0, 1), gain.flatten()
    for _ in range(4):
        for part in torch.randperm(512).split(128):
            state, action, old, better = (each[part] for each in flat)
            better = ((better - better.mean()) / (better.std() + 1e-8)).unsqueeze(1)
            ratio = (policy(state).log_prob(action) - old).exp()
            loss = -torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better).mean()
            loss = loss - 0.01 * policy(state).entropy().mean()
            actor.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            actor.step()
            miss = nn.functional.mse_loss(value(state).squeeze(1), goal[part])
            critic.zero_grad()
            miss.backward()
            critic.step()
    print(f"{rewards.mean().item():.4f}")
show(policy, value)
