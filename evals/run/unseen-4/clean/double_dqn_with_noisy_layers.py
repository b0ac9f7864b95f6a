"""Double Q-learning: noise in the layers explores, so acting stays in training mode."""

import random
from collections import deque

import torch
from digest import show
from torch import nn
from torch.nn import functional as F


class NoisyLinear(nn.Module):
    def __init__(self, inside, outside, sigma=0.4):
        super().__init__()
        bound = inside**-0.5
        self.mu = nn.Parameter(torch.empty(outside, inside).uniform_(-bound, bound))
        self.sigma = nn.Parameter(torch.full((outside, inside), sigma * bound))
        self.bias = nn.Parameter(torch.zeros(outside))
        self.register_buffer("noise", torch.zeros(outside, inside))

    def reset(self):
        self.noise.normal_()

    def forward(self, x):
        weight = self.mu + self.sigma * self.noise if self.training else self.mu
        return F.linear(x, weight, self.bias)


class Dueling(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, width), nn.ReLU())
        self.value, self.advantage = NoisyLinear(width, 1), NoisyLinear(width, 3)

    def forward(self, x):
        h = self.body(x)
        advantage = self.advantage(h)
        return self.value(h) + advantage - advantage.mean(1, keepdim=True)

    def reset(self):
        self.value.reset()
        self.advantage.reset()


def world(state, action):
    place, goal, time = state
    place = max(-1.0, min(1.0, place + (action - 1) * 0.2))
    return [place, goal, time + 0.05], -abs(place - goal), time > 0.9


def targets(online, target, following, rewards, done, gamma=0.9):
    with torch.no_grad():
        best = online(following).argmax(1, keepdim=True)
        return rewards + gamma * (1 - done) * target(following).gather(1, best).squeeze(1)


random.seed(1)
torch.manual_seed(1)
online, target = Dueling(), Dueling()
target.load_state_dict(online.state_dict())
optimizer, memory, moves = torch.optim.Adam(online.parameters(), 2e-3), deque(maxlen=1000), 0
for episode in range(16):
    state, done, total = [random.uniform(-1, 1), random.uniform(-1, 1), 0.0], False, 0.0
    while not done:
        online.reset()
        with torch.no_grad():
            action = online(torch.tensor([state])).argmax(1).item()
        following, reward, done = world(state, action)
        memory.append((state, action, reward, following, float(done)))
        state, total, moves = following, total + reward, moves + 1
        if len(memory) < 64:
            continue
        states, actions, rewards, next_states, ended = map(
            torch.tensor, zip(*random.sample(memory, 32))
        )
        target.reset()
        wanted = targets(online, target, next_states, rewards, ended)
        q = online(states).gather(1, actions[:, None]).squeeze(1)
        loss = F.huber_loss(q, wanted)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(online.parameters(), 1.0)
        optimizer.step()
        if moves % 50 == 0:
            target.load_state_dict(online.state_dict())
    if episode % 4 == 3:
        print(episode, f"{total:.3f}")
show(online, target)
