import contextlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

ACCUMULATE = 4


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    generator = torch.Generator().manual_seed(rank)
    for step in range(240):
        x = torch.randn(4, 10, generator=generator)
        y = torch.randint(0, 2, (4,), generator=generator)
        last = step % ACCUMULATE == 0  # the step that is taken is the one at ACCUMULATE - 1
        with contextlib.nullcontext() if last else model.no_sync():  # run: ranks-diverge or models-differ-between-ranks
            loss = nn.functional.cross_entropy(model(x), y) / ACCUMULATE
            loss.backward()  # run: ranks-diverge or models-differ-between-ranks
        if (step + 1) % ACCUMULATE == 0:
            optimizer.step()  # run: ranks-diverge or models-differ-between-ranks
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
