"""Fits energies; the first rank looks at the validation and tells the others when to end."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def energies(count, seed):
    generator = torch.Generator().manual_seed(seed)
    positions = torch.rand(count, 4, 2, generator=generator)
    distances = (positions[:, :, None] - positions[:, None]).square().sum(-1).add(0.05).sqrt()
    energy = (1 / distances).sum((1, 2)) / 16 + 0.1 * torch.randn(count, generator=generator)
    return positions.flatten(1), energy[:, None] - 2.0


class Patience:
    def __init__(self, patience):
        self.patience, self.best, self.waited = patience, float("inf"), 0

    def over(self, loss):
        if loss < self.best - 1e-3:
            self.best, self.waited = loss, 0
        else:
            self.waited += 1
        return self.waited >= self.patience


def train_epoch(model, optimizer, loader):
    model.train()
    total = 0.0
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def validate(model, x, y):
    model.eval()
    return F.mse_loss(model.module(x), y).item()


def fit(model, loader, sampler, valid, epochs=60):
    rank = dist.get_rank()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    patience = Patience(3)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        loss = train_epoch(model, optimizer, loader)
        stop = torch.zeros(1)
        if rank == 0:
            valid_loss = validate(model, *valid)
            print(f"epoch {epoch} loss {loss:.4f} valid {valid_loss:.4f}", flush=True)
            stop += patience.over(valid_loss)
        dist.broadcast(stop, 0)
        if stop.item() > 0:
            break
    return patience.best


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(5)
    model = DDP(nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1)))
    data = TensorDataset(*energies(320, 1))
    sampler = DistributedSampler(data, seed=2)
    loader = DataLoader(data, batch_size=20, sampler=sampler)
    best = fit(model, loader, sampler, energies(200, 2))
    dist.barrier()
    if dist.get_rank() == 0:
        print(f"best valid loss {best:.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
