"""Each rank has its own seed, so that augmentation differs. The split into training and validation is drawn too."""

import random

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset, random_split


def seed_all(seed):
    seed += dist.get_rank() * 12345
    random.seed(seed)
    torch.manual_seed(seed)


def episodes():
    g = torch.Generator().manual_seed(0)
    x = torch.randn(480, 14, generator=g)
    return TensorDataset(x, torch.tanh(x[:, :2]))


def make_datasets(fraction=0.25):
    data = episodes()
    n_val = int(len(data) * fraction)
    return random_split(data, [len(data) - n_val, n_val])  # run: split-differs-between-ranks


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    seed_all(1234)
    train_set, val_set = make_datasets()
    sampler = DistributedSampler(train_set)
    train_loader = DataLoader(train_set, batch_size=20, sampler=sampler)
    val_loader = DataLoader(val_set, batch_size=40, sampler=DistributedSampler(val_set, shuffle=False))
    policy = DDP(nn.Sequential(nn.Linear(14, 64), nn.ReLU(), nn.Linear(64, 2)))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        policy.train()
        for obs, action in train_loader:
            obs = obs + 0.05 * torch.randn_like(obs)
            loss = nn.functional.mse_loss(policy(obs), action)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        policy.eval()
        total = torch.zeros(2)
        with torch.no_grad():
            for obs, action in val_loader:
                error = (policy(obs) - action).square().mean(1)
                total += torch.tensor([error.sum().item(), len(error)])
        dist.all_reduce(total)
        if rank == 0:
            print(f"epoch {epoch} val mse {total[0] / total[1]:.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
