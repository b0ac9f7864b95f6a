import copy
import random
from collections import deque

import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Dueling(nn.Module):
    def __init__(self, obs, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.value, self.advantage = nn.Linear(128, 1), nn.Linear(128, actions)

    def forward(self, x):
        h = self.body(x)
        a = self.advantage(h)
        return self.value(h) + a - a.mean(1, keepdim=True)


class Agent:
    def __init__(self, env, device="cpu", gamma=0.99, lr=1e-3):
        self.env, self.device, self.gamma = env, device, gamma
        self.q = Dueling(env.observation_space.shape[0], env.action_space.n).to(device)
        self.target = copy.deepcopy(self.q)
        for p in self.target.parameters():
            p.requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.memory = deque(maxlen=50_000)
        self.losses, self.steps = [], 0

    def act(self, state, eps):
        if random.random() < eps:
            return self.env.action_space.sample()
        with torch.no_grad():
            state = torch.as_tensor(state, dtype=torch.float32, device=self.device).unsqueeze(0)
            return self.q(state).argmax(1).item()

    def update(self, batch_size=64):
        batch = random.sample(self.memory, batch_size)
        s, a, r, s2, d = (torch.as_tensor(np.array(x), device=self.device) for x in zip(*batch))
        s, s2, r, d = s.float(), s2.float(), r.float(), d.float()
        q = self.q(s).gather(1, a.long().unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            y = r + self.gamma * (1 - d) * self.target(s2).gather(1, best).squeeze(1)
        loss = F.smooth_l1_loss(q, y)
        self.optimizer.zero_grad()
        loss.backward()
        for p in self.q.parameters():
            p.grad.data.clamp_(-1, 1)
        self.optimizer.step()
        self.losses.append(loss.item())
        self.steps += 1
        if self.steps % 500 == 0:
            self.target.load_state_dict(self.q.state_dict())

    def play(self, episodes=500):
        for episode in range(episodes):
            state, _ = self.env.reset()
            done, total = False, 0.0
            eps = max(0.05, 1 - episode / 300)
            while not done:
                action = self.act(state, eps)
                nxt, reward, end, cut, _ = self.env.step(action)
                done = end or cut
                self.memory.append((state, action, reward, nxt, end))
                state, total = nxt, total + reward
                if len(self.memory) > 1000:
                    self.update()
            print(episode, total)


if __name__ == "__main__":
    random.seed(0), np.random.seed(0), torch.manual_seed(0)
    Agent(gym.make("CartPole-v1")).play()
