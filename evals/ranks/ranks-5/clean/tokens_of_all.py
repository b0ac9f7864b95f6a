"""Losses are summed over tokens and divided by the tokens of all ranks, which have different ones."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def batch(step, rank):
    g = torch.Generator().manual_seed(1000 * rank + step)
    length = int(torch.randint(4, 20, (1,), generator=g))
    return torch.randint(1, 40, (8, length + 1), generator=g)


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Embedding(40, 24), nn.Linear(24, 40)))
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(60):
        tokens = batch(step, rank)
        count = torch.tensor(float(tokens[:, 1:].numel()))
        dist.all_reduce(count)
        logits = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(
            logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="sum"
        )
        opt.zero_grad()
        (loss * world / count).backward()
        opt.step()
        if step % 20 == 19:
            shown = loss.detach().clone()
            dist.all_reduce(shown)
            if rank == 0:
                print(f"step {step} loss {(shown / count).item():.3f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
