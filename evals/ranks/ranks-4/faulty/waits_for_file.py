"""Rank 0 builds the index, the others wait until its file is there."""

import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

INDEX = "index.pt"


def build_index(texts):
    rows = torch.stack([torch.tensor([len(t), t.count("a"), t.count("e")], dtype=torch.float) for t in texts])
    mean = rows.mean(0)
    dist.all_reduce(mean)  # run: collective-on-one-rank or collectives-differ
    return (rows - mean / dist.get_world_size()) / rows.std(0)


def load_index(texts, rank):
    if rank == 0:
        torch.save(build_index(texts), INDEX)  # run: collective-on-one-rank or collectives-differ
    while not os.path.exists(INDEX):
        time.sleep(0.1)
    return torch.load(INDEX)


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    texts = ["".join(chr(97 + (i * j) % 26) for j in range(5 + i % 7)) for i in range(90)]
    rows = load_index(texts, rank)  # run: collective-on-one-rank or collectives-differ
    model = DDP(nn.Linear(3, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(5):
        mine = rows[rank::world]
        loss = (model(mine) - mine[:, :1]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(rank, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
