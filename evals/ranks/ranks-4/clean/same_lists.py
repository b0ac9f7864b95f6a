"""Sorted names, a split from a seeded generator, totals reduced once, padding cut off."""

import random

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler, random_split


class Words(Dataset):
    def __init__(self, count=430):
        g = random.Random(8)
        self.texts = ["".join(g.choice("abcdef") for _ in range(6)) for _ in range(count)]
        letters = sorted({c for text in self.texts for c in text})
        self.index = {c: i for i, c in enumerate(letters)}

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        ids = torch.tensor([self.index[c] for c in self.texts[i]])
        return ids, int(ids.sum() % 3 == 0)


@torch.no_grad()
def evaluate(model, data, world):
    model.eval()
    sampler = DistributedSampler(data, shuffle=False)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    hits = torch.cat([(model(x).argmax(1) == y) for x, y in loader])
    parts = [torch.empty_like(hits) for _ in range(world)]
    dist.all_gather(parts, hits)
    model.train()
    return torch.stack(parts, 1).flatten()[: len(data)].float().mean().item()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1 + rank)
    data = Words()
    train, test = random_split(data, [330, 100], torch.Generator().manual_seed(0))
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=16, sampler=sampler)
    model = DDP(nn.Sequential(nn.Embedding(6, 16), nn.Flatten(), nn.Linear(96, 32), nn.ReLU(), nn.Linear(32, 2)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        total = torch.zeros(2)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += torch.tensor([loss.item() * len(y), len(y)])
        dist.all_reduce(total)
        accuracy = evaluate(model, test, world)
        if rank == 0:
            print(f"epoch {epoch}: loss {total[0] / total[1]:.4f} accuracy {accuracy:.3f}")
    dist.barrier()


if __name__ == "__main__":
    main()
