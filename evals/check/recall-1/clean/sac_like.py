import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 64), nn.ReLU(), nn.Linear(64, o))


class Agent:
    def __init__(self, obs=3, act=1, tau=0.005, gamma=0.99):
        self.actor = mlp(obs, act)
        self.critic = mlp(obs + act, 1)
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.a_opt = torch.optim.Adam(self.actor.parameters(), 3e-4)
        self.c_opt = torch.optim.Adam(self.critic.parameters(), 3e-4)
        self.tau, self.gamma = tau, gamma
        self.memory = deque(maxlen=1000)
        self.history = []

    @torch.no_grad()
    def act(self, s, noise=0.1):
        a = torch.tanh(self.actor(s))
        return (a + noise * torch.randn_like(a)).clamp(-1, 1)

    def learn(self, n=32):
        rows = random.sample(self.memory, n)
        s, a, r, s2 = (torch.stack(col) for col in zip(*rows))
        with torch.no_grad():
            a2 = torch.tanh(self.actor(s2))
            backup = r + self.gamma * self.target(torch.cat([s2, a2], 1))
        c_loss = F.mse_loss(self.critic(torch.cat([s, a], 1)), backup)
        self.c_opt.zero_grad()
        c_loss.backward()
        self.c_opt.step()

        for p in self.critic.parameters():
            p.requires_grad = False
        a_loss = -self.critic(torch.cat([s, torch.tanh(self.actor(s))], 1)).mean()
        self.a_opt.zero_grad()
        a_loss.backward()
        self.a_opt.step()
        for p in self.critic.parameters():
            p.requires_grad = True

        with torch.no_grad():
            for t, p in zip(self.target.parameters(), self.critic.parameters()):
                t.lerp_(p, self.tau)
        self.history.append((c_loss.item(), a_loss.item()))


agent = Agent()
s = torch.randn(3)
for t in range(100):
    a = agent.act(s)
    s2 = torch.randn(3)
    agent.memory.append((s, a, -s.pow(2).sum().view(1), s2))
    s = s2
    if t > 40:
        agent.learn()
print(agent.history[-1])
