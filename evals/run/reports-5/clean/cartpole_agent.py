"""Q-learning on CartPole with two networks, after https://github.com/thesouther/MARL/issues/8."""

import copy
import random
from collections import deque

import gymnasium as gym
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

SEED, STEPS, GAMMA = 4, 7000, 0.98
random.seed(SEED)
np.random.seed(SEED)
torch.manual_seed(SEED)


class Memory:
    def __init__(self, size=5000):
        self.rows = deque(maxlen=size)

    def add(self, *row):
        self.rows.append(row)

    def sample(self, count):
        states, actions, rewards, nexts, ends = zip(*random.sample(self.rows, count))
        return (
            torch.from_numpy(np.stack(states)),
            torch.tensor(actions),
            torch.tensor(rewards, dtype=torch.float32),
            torch.from_numpy(np.stack(nexts)),
            torch.tensor(ends, dtype=torch.float32),
        )


class QPolicy:
    def __init__(self, observations=4, actions=2, hidden=64, copy_every=50):
        self.eval_net = nn.Sequential(nn.Linear(observations, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, actions))
        self.target_net = copy.deepcopy(self.eval_net)
        self.target_net.requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.eval_net.parameters(), lr=1e-3)
        self.actions, self.copy_every, self.updates = actions, copy_every, 0

    @torch.no_grad()
    def act(self, state, epsilon=0.0):
        if random.random() < epsilon:
            return random.randrange(self.actions)
        return int(self.eval_net(torch.from_numpy(state)).argmax())

    def learn(self, batch):
        states, actions, rewards, nexts, ends = batch
        with torch.no_grad():
            best = self.target_net(nexts).max(1).values
            wanted = rewards + GAMMA * best * (1 - ends)
        values = self.eval_net(states).gather(1, actions[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(values, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.eval_net.parameters(), 10.0)
        self.optimizer.step()
        self.updates += 1
        if self.updates % self.copy_every == 0:
            self.target_net.load_state_dict(self.eval_net.state_dict())
        return loss.item(), values.mean().item()


def evaluate(policy, episodes=8):
    env = gym.make("CartPole-v1", max_episode_steps=300)
    lengths = []
    for i in range(episodes):
        state, _ = env.reset(seed=1000 + i)
        for length in range(1, 301):
            state, _, ended, cut, _ = env.step(policy.act(state))
            if ended or cut:
                break
        lengths.append(length)
    return float(np.mean(lengths))


env = gym.make("CartPole-v1", max_episode_steps=300)
policy, memory = QPolicy(), Memory()
state, _ = env.reset(seed=SEED)
loss = value = 0.0
for step in range(1, STEPS + 1):
    epsilon = max(0.05, 1.0 - step / 3000)
    action = policy.act(state, epsilon)
    following, reward, ended, cut, _ = env.step(action)
    memory.add(state, action, reward * 0.1, following, ended)
    state = following
    if ended or cut:
        state, _ = env.reset()
    if step > 500 and step % 2 == 0:
        loss, value = policy.learn(memory.sample(64))
    if step % 1750 == 0:
        print(f"step {step} loss {loss:.4f} value {value:.4f} length {evaluate(policy, 4):.1f}")
print(f"mean length {evaluate(policy):.2f}")
print(f"checksum {sum(p.double().sum() for p in policy.eval_net.parameters()).item():.6f}")
