"""Advantages are normalised in each minibatch, and the last of a rollout is of one step: no deviation."""

import argparse

import torch
from digest import show
from torch import nn
from torch.distributions import Categorical


class Corridor:
    """Walk right to the end; each step costs a little."""

    def __init__(self, length=8):
        self.length, self.at, self.time = length, 0, 0

    def reset(self):
        self.at, self.time = 0, 0
        return self.seen()

    def seen(self):
        return torch.tensor([self.at / self.length, self.time / 32])

    def step(self, action):
        self.at = max(0, self.at + (1 if action == 1 else -1))
        self.time += 1
        done = self.at == self.length or self.time == 32
        return self.seen(), (1.0 if self.at == self.length else -0.02), done


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.actor, self.critic = nn.Linear(32, 2), nn.Linear(32, 1)

    def forward(self, seen):
        h = self.body(seen)
        return Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


@torch.no_grad()
def collect(agent, world, steps):
    seen, rows = world.reset(), []
    for _ in range(steps):
        policy, value = agent(seen)
        action = policy.sample()
        following, reward, done = world.step(action.item())
        rows.append((seen, action, policy.log_prob(action), value, reward, done))
        seen = world.reset() if done else following
    _, last = agent(seen)
    return rows, last


def advantages_of(rows, last, gamma=0.99, trace=0.95):
    gains, carried, following = [], 0.0, last
    for *_, value, reward, done in reversed(rows):
        delta = reward + gamma * following * (not done) - value
        carried = delta + gamma * trace * (not done) * carried
        gains.append(carried)
        following = value
    return torch.stack(gains[::-1])


def update(agent, optimizer, rows, advantages, options):
    seen, actions, before, values = (torch.stack(column) for column in list(zip(*rows))[:4])
    returns = advantages + values
    for _ in range(options.epochs):
        for picked in torch.randperm(len(rows)).split(options.minibatch):
            gain = advantages[picked]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)  # run: nan-loss
            policy, value = agent(seen[picked])
            ratio = (policy.log_prob(actions[picked]) - before[picked]).exp()
            clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
            policy_loss = -torch.min(ratio * gain, clipped * gain).mean()  # run: nan-loss
            value_loss = (returns[picked] - value).pow(2).mean()
            loss = policy_loss + 0.5 * value_loss - 0.01 * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=129)
    parser.add_argument("--minibatch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--clip", type=float, default=0.2)
    options = parser.parse_args()
    torch.manual_seed(3)
    torch.distributions.Distribution.set_default_validate_args(False)
    agent, world = Agent(), Corridor()
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
    rows, last = collect(agent, world, options.steps)
    update(agent, optimizer, rows, advantages_of(rows, last), options)
    show(agent)


if __name__ == "__main__":
    main()
