import argparse
import random

import gymnasium as gym
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from buffer import Buffer


class ActorCritic(nn.Module):
    def __init__(self, obs, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 64), nn.Tanh())
        self.pi, self.v = nn.Linear(64, actions), nn.Linear(64, 1)

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)

    @torch.no_grad()
    def act(self, x):
        dist, value = self(x)
        action = dist.sample()
        return action, dist.log_prob(action), value


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def update(net, opt, buf, last, clip=0.2, epochs=4, batch=64, target_kl=0.02):
    adv, ret = buf.advantages(last)
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    stats = []
    for _ in range(epochs):
        for idx in torch.randperm(len(adv)).split(batch):
            dist, value = net(buf.obs[idx])
            log_ratio = dist.log_prob(buf.act[idx]) - buf.logp[idx]
            ratio = log_ratio.exp()
            policy = -torch.min(ratio * adv[idx], ratio.clamp(1 - clip, 1 + clip) * adv[idx]).mean()
            critic = (value - ret[idx]).pow(2).mean()
            loss = policy + 0.5 * critic - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
            with torch.no_grad():
                kl = (ratio - 1 - log_ratio).mean()
            stats.append((policy.item(), critic.item(), kl.item()))
        if kl > target_kl:
            break
    return np.mean(stats, axis=0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--env", default="CartPole-v1")
    parser.add_argument("--horizon", type=int, default=1024)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    seed_all(args.seed)
    env = gym.make(args.env)
    net = ActorCritic(env.observation_space.shape[0], env.action_space.n)
    opt = torch.optim.Adam(net.parameters(), lr=3e-4, eps=1e-5)
    buf = Buffer(args.horizon, env.observation_space.shape[0])
    obs, _ = env.reset(seed=args.seed)
    for it in range(args.updates):
        for group in opt.param_groups:
            group["lr"] = 3e-4 * (1 - it / args.updates)
        for _ in range(args.horizon):
            x = torch.as_tensor(obs, dtype=torch.float32)
            action, logp, value = net.act(x)
            obs, reward, terminated, truncated, _ = env.step(action.item())
            buf.add(x, action, logp, value, reward, float(terminated or truncated))
            if terminated or truncated:
                obs, _ = env.reset()
        last = net.act(torch.as_tensor(obs, dtype=torch.float32))[2]
        print(it, update(net, opt, buf, last))


if __name__ == "__main__":
    main()
