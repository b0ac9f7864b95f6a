"""PPO on several workers; the learning rate follows the KL divergence of the last update."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Policy(nn.Module):
    def __init__(self, obs=8, actions=2):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(obs, 64), nn.ELU(), nn.Linear(64, actions))
        self.log_std = nn.Parameter(torch.zeros(actions))

    def forward(self, obs):
        return self.mean(obs), self.log_std.exp().expand(len(obs), -1)


def kl(old_mean, old_std, mean, std):
    ratio = (std / old_std).log() + (old_std**2 + (old_mean - mean) ** 2) / (2 * std**2) - 0.5
    return ratio.sum(1).mean().item()


class PPO:
    def __init__(self, rank, desired_kl=0.01):
        torch.manual_seed(0)
        self.policy = DDP(Policy())
        self.lr, self.desired_kl = 1e-3, desired_kl
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=self.lr)
        self.g, self.scale = torch.Generator().manual_seed(rank), 1 + rank  # harder terrain

    def rollout(self):
        obs = self.scale * torch.randn(64, 8, generator=self.g)
        with torch.no_grad():
            mean, std = self.policy.module(obs)
        action = mean + std * torch.randn(64, 2, generator=self.g)
        advantage = -(action - obs[:, :2]).pow(2).sum(1)
        return obs, action, advantage - advantage.mean(), mean, std

    def update(self):
        obs, action, advantage, old_mean, old_std = self.rollout()
        old = torch.distributions.Normal(old_mean, old_std).log_prob(action).sum(1)
        for _ in range(4):
            mean, std = self.policy(obs)
            with torch.no_grad():
                value = kl(old_mean, old_std, mean, std)
                if value > self.desired_kl * 2:
                    self.lr = max(1e-5, self.lr / 1.5)  # run: ranks-diverge
                elif 0 < value < self.desired_kl / 2:
                    self.lr = min(1e-2, self.lr * 1.5)  # run: ranks-diverge
                for group in self.optimizer.param_groups:
                    group["lr"] = self.lr  # run: ranks-diverge
            ratio = (torch.distributions.Normal(mean, std).log_prob(action).sum(1) - old).exp()
            loss = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()  # run: ranks-diverge


def main():
    dist.init_process_group("gloo")
    ppo = PPO(dist.get_rank())
    for _ in range(25):
        ppo.update()
    print(f"rank {dist.get_rank()} lr {ppo.lr:.2e}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
