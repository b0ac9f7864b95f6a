"""Streams of different length without Join; the ranks stop as soon as one of them has nothing left."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def utterances(rank):
    g = torch.Generator().manual_seed(rank)
    for _ in range(30 + 7 * rank):
        yield torch.randn(6, int(torch.randint(5, 12, (1,), generator=g)), 10, generator=g)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4)))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(2):
        stream, steps, total = utterances(rank), 0, torch.zeros(())
        while True:
            frames = next(stream, None)
            left = torch.tensor(int(frames is not None))
            dist.all_reduce(left, op=dist.ReduceOp.MIN)
            if not left:
                break
            loss = nn.functional.cross_entropy(model(frames).mean(1), torch.arange(6) % 4)
            opt.zero_grad()
            loss.backward()
            opt.step()
            steps += 1
            total += loss.detach()
        dist.all_reduce(total)
        if rank == 0:
            print(f"epoch {epoch}: {steps} steps, loss {total.item() / steps / dist.get_world_size():.3f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
