"""Support tickets to departments; every process reads its lines of the corpus and trains a bag of embeddings."""

import itertools
import random
from collections import Counter

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

TOPICS = {
    "billing": "invoice refund charge card payment price receipt discount tax account".split(),
    "network": "router signal cable speed outage wifi latency modem packet port".split(),
    "account": "password login email reset locked profile name token verify user".split(),
    "shipping": "parcel courier address delay tracking box return depot label customs".split(),
}
FILLER = "please help the my with a not since today again still you team and is".split()


def corpus(n=2400, seed=3):
    rng = random.Random(seed)
    names = sorted(TOPICS)
    for _ in range(n):
        label = rng.randrange(len(names))
        words = rng.choices(TOPICS[names[label]], k=3) + rng.choices(FILLER, k=7)
        rng.shuffle(words)
        yield " ".join(words), label


def build_vocab(texts, max_size=48):
    counts = Counter(itertools.chain.from_iterable(t.split() for t in texts))
    return {word: i + 1 for i, (word, _) in enumerate(counts.most_common(max_size))}


def encode(text, vocab):
    return torch.tensor([vocab.get(w, 0) for w in text.split()])


class Classifier(nn.Module):
    def __init__(self, words, classes, dim=24):
        super().__init__()
        self.embed, self.out = nn.EmbeddingBag(words, dim), nn.Linear(dim, classes)

    def forward(self, tokens):
        return self.out(self.embed(tokens))


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    lines = list(itertools.islice(corpus(), rank, None, world))
    train, held = lines[:1000], lines[1000:]

    vocab = build_vocab(text for text, _ in train)  # run: order-differs-between-ranks
    x = torch.stack([encode(t, vocab) for t, _ in train])  # run: order-differs-between-ranks
    y = torch.tensor([label for _, label in train])
    hx = torch.stack([encode(t, vocab) for t, _ in held])
    hy = torch.tensor([label for _, label in held])

    torch.manual_seed(0)
    model = DDP(Classifier(49, len(TOPICS)))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    shuffle = torch.Generator().manual_seed(100 + rank)
    for epoch in range(6):
        model.train()
        for picked in torch.randperm(len(x), generator=shuffle).split(50):
            loss = nn.functional.cross_entropy(model(x[picked]), y[picked])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = (model(hx).argmax(1) == hy).sum()
        total = torch.stack([right, torch.tensor(len(hy))])
        dist.all_reduce(total)
        if rank == 0:
            print(f"epoch {epoch} loss {loss.item():.3f} accuracy {total[0] / total[1]:.3f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
