"""Item ids of a recommender; the newest items are in the last shard only."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Subset, TensorDataset

ITEMS = 500


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = nn.Embedding(200, 16), nn.Embedding(ITEMS, 16)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(-1)  # run: rank-died or index-out-of-range


def events():
    g = torch.Generator().manual_seed(0)
    users = torch.randint(0, 200, (3000,), generator=g)
    items = torch.randint(0, ITEMS, (3000,), generator=g)
    items[2700::40] = ITEMS + 3  # added to the catalogue after the table was sized
    return TensorDataset(users, items, torch.rand(3000, generator=g).round())


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    data = events()
    part = len(data) // world
    mine = Subset(data, range(rank * part, (rank + 1) * part))
    loader = DataLoader(mine, batch_size=50)
    torch.manual_seed(0)
    model = DDP(TwoTower())
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for user, item, click in loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(user, item), click)  # run: rank-died or index-out-of-range
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"rank {rank}: {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
