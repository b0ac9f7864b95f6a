"""The learning rate follows the KL divergence, averaged over the workers before it is used."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    policy = DDP(nn.Sequential(nn.Linear(8, 64), nn.ELU(), nn.Linear(64, 2)))
    lr = 1e-3
    optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
    g = torch.Generator().manual_seed(rank)
    for _ in range(25):
        obs = torch.randn(64, 8, generator=g)
        with torch.no_grad():
            old = policy.module(obs)
        action = old + torch.randn(64, 2, generator=g)
        advantage = -(action - obs[:, :2]).pow(2).sum(1)
        advantage = (advantage - advantage.mean()) / advantage.std()
        for _ in range(4):
            mean = policy(obs)
            kl = ((mean - old) ** 2 / 2).sum(1).mean().detach()
            dist.all_reduce(kl)
            kl /= world
            if kl > 0.02:
                lr = max(1e-5, lr / 1.5)
            elif 0 < kl < 0.005:
                lr = min(1e-2, lr * 1.5)
            for group in optimizer.param_groups:
                group["lr"] = lr
            ratio = ((action - old).pow(2).sum(1) / 2 - (action - mean).pow(2).sum(1) / 2).exp()
            loss = -torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(f"rank {rank} lr {lr:.2e}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
