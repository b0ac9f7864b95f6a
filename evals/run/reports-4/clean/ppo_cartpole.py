"""PPO on CartPole with four environments, after walkinglabs/hands-on-modern-rl issue 63."""

import gymnasium as gym
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn import functional as F

SEED, ENVS, STEPS, UPDATES = 3, 4, 256, 24
GAMMA, LAMBDA, CLIP, EPOCHS, MINIBATCH = 0.99, 0.95, 0.2, 6, 256
torch.manual_seed(SEED)
np.random.seed(SEED)


class ActorCritic(nn.Module):
    def __init__(self, observations=4, actions=2, hidden=64):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(observations, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, actions))
        self.critic = nn.Sequential(nn.Linear(observations, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, state):
        return self.actor(state), self.critic(state).squeeze(-1)


def compute_gae(rewards, values, dones, next_value):
    advantages, gae = torch.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + GAMMA * next_value * (1 - dones[t]) - values[t]
        gae = delta + GAMMA * LAMBDA * (1 - dones[t]) * gae
        advantages[t] = gae
        next_value = values[t]
    return advantages


class Rollout:
    def __init__(self):
        self.envs = [gym.make("CartPole-v1", max_episode_steps=10_000) for _ in range(ENVS)]
        self.states = np.stack([env.reset(seed=SEED + i)[0] for i, env in enumerate(self.envs)])
        self.lengths = np.zeros(ENVS)
        self.finished = []

    def step(self, actions):
        rewards, dones = np.zeros(ENVS, dtype=np.float32), np.zeros(ENVS, dtype=np.float32)
        for i, env in enumerate(self.envs):
            state, rewards[i], terminated, truncated, _ = env.step(int(actions[i]))
            self.lengths[i] += 1
            if terminated or truncated:
                dones[i] = 1.0
                self.finished.append(self.lengths[i])
                self.lengths[i] = 0
                state, _ = env.reset()
            self.states[i] = state
        return torch.from_numpy(rewards), torch.from_numpy(dones)

    @torch.no_grad()
    def collect(self, model):
        states, actions, log_probs, values, rewards, dones = [], [], [], [], [], []
        for _ in range(STEPS):
            state = torch.tensor(self.states, dtype=torch.float32)
            logits, value = model(state)
            policy = Categorical(logits=logits)
            action = policy.sample()
            reward, done = self.step(action)
            states.append(state)
            actions.append(action)
            log_probs.append(policy.log_prob(action))
            values.append(value)
            rewards.append(reward * 0.1)
            dones.append(done)
        _, next_value = model(torch.tensor(self.states, dtype=torch.float32))
        values = torch.stack(values)
        advantages = compute_gae(torch.stack(rewards), values, torch.stack(dones), next_value)
        returns = advantages + values
        flat = [torch.stack(states).flatten(0, 1)] + [torch.stack(each).flatten() for each in (actions, log_probs)]
        return *flat, returns.flatten(), advantages.flatten()


def update(model, optimizer, batch):
    states, actions, old_log_probs, returns, advantages = batch
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(EPOCHS):
        for index in torch.randperm(len(states)).split(MINIBATCH):
            logits, value = model(states[index])
            policy = Categorical(logits=logits)
            ratio = (policy.log_prob(actions[index]) - old_log_probs[index]).exp()
            surrogate = torch.min(ratio * advantages[index], ratio.clamp(1 - CLIP, 1 + CLIP) * advantages[index])
            critic_loss = F.smooth_l1_loss(value, returns[index])
            loss = -surrogate.mean() + 0.5 * critic_loss - 0.005 * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
    return loss.item(), critic_loss.item()


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
rollout = Rollout()
for iteration in range(UPDATES):
    loss, critic_loss = update(model, optimizer, rollout.collect(model))
    if iteration % 4 == 3:
        print(f"update {iteration + 1} loss {loss:.4f} value loss {critic_loss:.4f} length {np.mean(rollout.finished[-20:]):.1f}")
print(f"mean length of the last 20 episodes {np.mean(rollout.finished[-20:]):.2f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
