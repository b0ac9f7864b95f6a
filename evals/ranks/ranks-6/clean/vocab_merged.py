"""A language model over words: lines are divided among the processes, the words of all of them are counted."""

import random
from collections import Counter

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

NOUNS = "cat dog bird horse cow fish lion mouse fox bear wolf sheep".split()
VERBS = "sees hears follows likes fears finds".split()
PLACES = "garden river forest house street field hill".split()


def lines(rank, world, n=1500):
    rng = random.Random(17)
    out = []
    for _ in range(n):
        a, b = rng.sample(range(len(NOUNS)), 2)
        verb = VERBS[(a + b) % len(VERBS)]
        out.append(f"the {NOUNS[a]} {verb} the {NOUNS[b]} in the {rng.choice(PLACES)}".split())
    return out[rank::world]


def build_vocab(sentences, size=24):
    mine = Counter(w for s in sentences for w in s)
    counters = [None] * dist.get_world_size()
    dist.all_gather_object(counters, mine)
    merged = sum(counters, Counter())
    words = sorted(merged, key=lambda w: (-merged[w], w))[:size]
    return {w: i + 1 for i, w in enumerate(words)}


class Model(nn.Module):
    def __init__(self, words, dim=32):
        super().__init__()
        self.embed = nn.Embedding(words, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, words)

    def forward(self, x):
        return self.out(self.rnn(self.embed(x))[0])


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    sentences = lines(rank, world)
    vocab = build_vocab(sentences)
    data = torch.tensor([[vocab.get(w, 0) for w in s] for s in sentences])
    torch.manual_seed(0)
    model = DDP(Model(len(vocab) + 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    g = torch.Generator().manual_seed(30 + rank)
    for epoch in range(4):
        total = torch.zeros(2)
        for picked in torch.randperm(len(data), generator=g).split(50):
            batch = data[picked]
            loss = nn.functional.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += torch.tensor([loss.item(), 1.0])
        dist.all_reduce(total)
        if rank == 0:
            print(f"epoch {epoch} perplexity {(total[0] / total[1]).exp().item():.3f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
