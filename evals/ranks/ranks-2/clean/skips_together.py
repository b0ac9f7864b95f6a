# near misses: batches skipped, but by all; rounds not averaged, but not the last; an average of weights
# on rank 0 alone, never put back; rank 0 slow at the end of an epoch; a collective in some epochs only
import contextlib
import copy
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

ROUNDS = 2


def all_have(flag):
    agreed = torch.tensor(float(flag))
    dist.all_reduce(agreed, op=dist.ReduceOp.MIN)
    return bool(agreed)


def learn(model, optimizer, ema, loader, rank):
    for index, (x, y) in enumerate(loader, 1):
        if not all_have((y != 2).sum() > 1):
            continue
        last = index % ROUNDS == 0
        with contextlib.nullcontext() if last else model.no_sync():
            (nn.functional.cross_entropy(model(x), y) / ROUNDS).backward()
        if not last:
            continue
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if ema is not None:
            with torch.no_grad():
                for mine, theirs in zip(ema.parameters(), model.parameters(), strict=True):
                    mine.lerp_(theirs, 0.05)


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(300, 6), torch.randint(0, 3, (300,)))
    net = nn.Sequential(
        nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3)
    )
    torch.manual_seed(rank)
    sampler = DistributedSampler(data, drop_last=True)
    loader = DataLoader(data, batch_size=25, sampler=sampler)
    model = DDP(net)
    ema = copy.deepcopy(net) if rank == 0 else None
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3 * world)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        learn(model, optimizer, ema, loader, rank)
        if epoch % 2:
            norms = [torch.empty(1) for _ in range(world)]
            dist.all_gather(norms, net[0].weight.detach().norm()[None])
        if rank == 0:
            time.sleep(0.7)
            torch.save({"model": net.state_dict(), "ema": ema.state_dict()}, "new.pt")
            os.replace("new.pt", "last.pt")
        dist.barrier()
        assert os.path.exists("last.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
