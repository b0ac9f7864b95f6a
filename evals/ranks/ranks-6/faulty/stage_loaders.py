"""A classifier in two stages, one for each process, with GPipe."""

import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe
from torch.utils.data import DataLoader, TensorDataset


def blobs(n=1280, classes=6, dim=16):
    g = torch.Generator().manual_seed(33)
    centres = 2 * torch.randn(classes, dim, generator=g)
    y = torch.randint(0, classes, (n,), generator=g)
    return TensorDataset(centres[y] + torch.randn(n, dim, generator=g), y)


def build_stage(index, dim=16, hidden=64, classes=6):
    if index == 0:
        return nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
    return nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, classes))


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--microbatches", type=int, default=4)
    return parser.parse_args()


def main():
    args = parse()
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(args.seed + rank)  # run: order-differs-between-ranks
    module = build_stage(rank)
    stage = PipelineStage(module, rank, world, torch.device("cpu"))
    schedule = ScheduleGPipe(stage, args.microbatches, loss_fn=nn.CrossEntropyLoss())
    optimizer = torch.optim.AdamW(module.parameters(), lr=2e-3)
    loader = DataLoader(blobs(), batch_size=args.batch, shuffle=True, drop_last=True)  # run: order-differs-between-ranks

    for epoch in range(args.epochs):
        total = 0.0
        for x, y in loader:  # run: order-differs-between-ranks
            optimizer.zero_grad()
            if rank == 0:
                schedule.step(x)
            else:
                losses = []
                schedule.step(target=y, losses=losses)
                total += torch.stack(losses).mean().item()
            nn.utils.clip_grad_norm_(module.parameters(), 5.0)
            optimizer.step()
        if rank == world - 1:
            print(f"epoch {epoch} loss {total / len(loader):.4f}", flush=True)

    torch.save(module.state_dict(), f"stage-{rank}.pt")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
