"""A recommender whose users are split unevenly over the ranks for the test, with a metric of the whole ranking."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

USERS, ITEMS, TASTES = 301, 90, 5


class Factors(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.users, self.items = nn.Embedding(USERS, dim), nn.Embedding(ITEMS, dim)
        self.bias = nn.Embedding(ITEMS, 1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, users, items):
        return (self.users(users) * self.items(items)).sum(1) + self.bias(items).squeeze(1)


def visits():
    """Which items each user likes, and whether a like belongs to the training."""
    generator = torch.Generator().manual_seed(9)
    taste = torch.randn(USERS, TASTES, generator=generator)
    kind = torch.randn(ITEMS, TASTES, generator=generator)
    likes = taste @ kind.T + torch.randn(USERS, ITEMS, generator=generator) > 2.5
    return likes, torch.rand(USERS, ITEMS, generator=generator) < 0.8


def average_precision(scores, labels):
    labels = labels[scores.argsort(descending=True)]
    hits = labels.cumsum(0)
    places = torch.arange(1, len(labels) + 1)
    return ((hits / places)[labels > 0].sum() / labels.sum()).item()


@torch.no_grad()
def test(model, likes, train, rank, world):
    """Scores of the own users go to the first rank, with the pairs that they belong to."""
    users, items = (~train).nonzero(as_tuple=True)
    mine = users % world == rank
    own = (users[mine] * ITEMS + items[mine], model(users[mine], items[mine]))
    parts = [None] * world if rank == 0 else None
    dist.gather_object(own, parts, dst=0)
    if rank != 0:
        return None
    pairs, scores = (torch.cat(each) for each in zip(*parts))
    order = pairs.argsort()
    pairs, scores = pairs[order], scores[order]
    assert len(pairs.unique()) == len(users)
    return average_precision(scores, likes.flatten()[pairs].long())


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(3)
    model = DDP(Factors())
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    likes, train = visits()
    users, items = train.nonzero(as_tuple=True)
    labels = likes[users, items].float()
    for epoch in range(6):
        order = torch.randperm(len(users), generator=torch.Generator().manual_seed(epoch))
        order = order[: len(order) // (300 * world) * 300 * world]
        total = torch.zeros(1)
        for index in order.split(300 * world):
            mine = index[rank * 300 : rank * 300 + 300]
            loss = F.binary_cross_entropy_with_logits(model(users[mine], items[mine]), labels[mine])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)
        precision = test(model.module, likes, train, rank, world)
        if rank == 0 and epoch % 2 == 1:
            print(f"epoch {epoch} loss {total.item() / world / (len(order) // (300 * world)):.4f} average precision {precision:.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
