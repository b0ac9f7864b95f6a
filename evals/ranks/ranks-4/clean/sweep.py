"""A sweep over learning rates: one model a rank, which never meet; rank 0 prints the best."""

import torch
import torch.distributed as dist
from torch import nn


def objective(lr, seed):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    data = torch.Generator().manual_seed(0)
    for _ in range(150):
        x = torch.randn(32, 8, generator=data)
        loss = nn.functional.mse_loss(model(x), x.norm(dim=1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    rates = [10 ** -(1 + 0.5 * i) for i in range(6)]
    mine = [(lr, objective(lr, seed=rank)) for lr in rates[rank::world]]
    everyone = [None] * world
    dist.all_gather_object(everyone, mine)
    if rank == 0:
        best = min((loss, lr) for part in everyone for lr, loss in part)
        print(f"best rate {best[1]:.4f} with {best[0]:.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
