import collections
import random
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

Transition = collections.namedtuple("Transition", "obs action reward nxt done")


@dataclass(frozen=True)
class Sac:
    gamma: float = 0.99
    tau: float = 0.005
    lr: float = 3e-4
    batch: int = 256
    capacity: int = 1_000_000


class Actor(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.mean = nn.Linear(256, m)
        self.log_std = nn.Linear(256, m)

    def forward(self, obs):
        h = self.body(obs)
        dist = Normal(self.mean(h), self.log_std(h).clamp(-5, 2).exp())
        raw = dist.rsample()
        action = raw.tanh()
        log_prob = dist.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_prob.sum(-1, keepdim=True)


class Twin(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.q = nn.ModuleList(
            nn.Sequential(nn.Linear(n + m, 256), nn.ReLU(), nn.Linear(256, 1)) for _ in range(2)
        )

    def forward(self, obs, action):
        x = torch.cat([obs, action], -1)
        return [q(x) for q in self.q]


class Replay:
    def __init__(self, capacity):
        self.rows = collections.deque(maxlen=capacity)

    def push(self, *row):
        self.rows.append(Transition(*row))

    def sample(self, n, device):
        rows = Transition(*zip(*random.sample(self.rows, n)))
        return [torch.as_tensor(np.stack(column), dtype=torch.float32, device=device) for column in rows]


class Agent:
    def __init__(self, n, m, cfg, device):
        self.cfg, self.device = cfg, device
        self.actor = Actor(n, m).to(device)
        self.critic = Twin(n, m).to(device)
        self.target = Twin(n, m).to(device)
        self.target.load_state_dict(self.critic.state_dict())
        self.target.requires_grad_(False)
        self.log_alpha = torch.zeros(1, device=device, requires_grad=True)
        self.entropy = -float(m)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=cfg.lr)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=cfg.lr)
        self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=cfg.lr)

    @property
    def alpha(self):
        return self.log_alpha.detach().exp()

    @torch.no_grad()
    def act(self, obs):
        obs = torch.as_tensor(obs, dtype=torch.float32, device=self.device)
        return self.actor(obs[None])[0][0].cpu().numpy()

    def learn(self, replay):
        obs, action, reward, nxt, done = replay.sample(self.cfg.batch, self.device)
        reward, done = reward[:, None], done[:, None]
        with torch.no_grad():
            following, log_prob = self.actor(nxt)
            value = torch.min(*self.target(nxt, following)) - self.alpha * log_prob
            wanted = reward + self.cfg.gamma * (1 - done) * value
        critic_loss = sum(F.mse_loss(q, wanted) for q in self.critic(obs, action))
        self.step(self.critic_opt, critic_loss)

        for p in self.critic.parameters():
            p.requires_grad = False
        chosen, log_prob = self.actor(obs)
        actor_loss = (self.alpha * log_prob - torch.min(*self.critic(obs, chosen))).mean()
        self.step(self.actor_opt, actor_loss)
        for p in self.critic.parameters():
            p.requires_grad = True

        alpha_loss = -(self.log_alpha.exp() * (log_prob.detach() + self.entropy)).mean()
        self.step(self.alpha_opt, alpha_loss)
        self.follow()
        return {"critic": critic_loss.item(), "actor": actor_loss.item(), "alpha": self.alpha.item()}

    def step(self, optimizer, loss):
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    def follow(self):
        with torch.no_grad():
            for mine, theirs in zip(self.target.parameters(), self.critic.parameters()):
                mine.mul_(1 - self.cfg.tau).add_(theirs, alpha=self.cfg.tau)


def run(env, steps, cfg=Sac(), device="cpu"):
    agent = Agent(env.observation_space.shape[0], env.action_space.shape[0], cfg, device)
    replay = Replay(cfg.capacity)
    obs, _ = env.reset()
    returns, total = [], 0.0
    for step in range(steps):
        action = agent.act(obs) if step > 1000 else env.action_space.sample()
        nxt, reward, ended, cut, _ = env.step(action)
        replay.push(obs, action, reward, nxt, ended)
        total += reward
        obs = nxt
        if ended or cut:
            returns.append(total)
            obs, _ = env.reset()
            total = 0.0
        if len(replay.rows) > cfg.batch:
            agent.learn(replay)
    return returns
