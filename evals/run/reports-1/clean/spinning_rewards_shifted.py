"""A policy-gradient agent with a buffer, after openai/spinningup issue 50."""

import numpy as np
import torch
from digest import show
from torch import nn
from torch.distributions import Categorical


class Corridor:
    """Five cells; the goal is the last one."""

    def reset(self):
        self.cell, self.time = 0, 0
        return self.observation()

    def observation(self):
        return np.eye(5, dtype=np.float32)[self.cell]

    def step(self, action):
        self.cell = int(np.clip(self.cell + (1 if action == 1 else -1), 0, 4))
        self.time += 1
        done = self.cell == 4 or self.time == 20
        return self.observation(), float(self.cell == 4) - 0.05, done


class Buffer:
    def __init__(self, gamma=0.95):
        self.gamma = gamma
        self.obs, self.act, self.rew, self.val = [], [], [], []

    def store(self, obs, act, rew, val):
        self.obs.append(obs)
        self.act.append(act)
        self.rew.append(rew)
        self.val.append(val)

    def finish(self, last_value):
        rews = np.array(self.rew + [last_value], dtype=np.float32)
        vals = np.array(self.val + [last_value], dtype=np.float32)
        deltas = rews[:-1] + self.gamma * vals[1:] - vals[:-1]
        adv, returns = np.zeros_like(deltas), np.zeros_like(deltas)
        running, total = 0.0, last_value
        for t in reversed(range(len(deltas))):
            running = deltas[t] + self.gamma * 0.97 * running
            total = rews[t] + self.gamma * total
            adv[t], returns[t] = running, total
        return (torch.as_tensor(np.array(self.obs)), torch.as_tensor(self.act),
                torch.as_tensor(adv), torch.as_tensor(returns))


torch.manual_seed(0)
np.random.seed(0)
policy = nn.Sequential(nn.Linear(5, 32), nn.Tanh(), nn.Linear(32, 2))
critic = nn.Sequential(nn.Linear(5, 32), nn.Tanh(), nn.Linear(32, 1))
pi_opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
v_opt = torch.optim.Adam(critic.parameters(), lr=1e-2)
env = Corridor()
for episode in range(150):
    buffer, obs, done, rew = Buffer(), env.reset(), False, 0.0
    steps = 0
    while not done:
        with torch.no_grad():
            x = torch.as_tensor(obs)
            action = Categorical(logits=policy(x)).sample().item()
            value = critic(x).item()
        before = obs
        obs, rew, done = env.step(action)
        buffer.store(before, action, rew, value)
        steps += 1
    observations, actions, adv, returns = buffer.finish(0.0)
    adv = (adv - adv.mean()) / (adv.std() + 1e-6) if len(adv) > 1 else adv
    pi_loss = -(Categorical(logits=policy(observations)).log_prob(actions) * adv).mean()
    pi_opt.zero_grad()
    pi_loss.backward()
    pi_opt.step()
    v_loss = nn.functional.mse_loss(critic(observations).squeeze(-1), returns)
    v_opt.zero_grad()
    v_loss.backward()
    v_opt.step()
    if episode % 30 == 0:
        print(episode, steps, f"{v_loss.item():.3f}")
show(policy, critic)
