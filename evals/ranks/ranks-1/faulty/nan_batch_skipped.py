import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def batches(rank):
    generator = torch.Generator().manual_seed(rank)
    for step in range(30):
        x = torch.randn(8, 6, generator=generator)
        if rank == 1 and step == 11:
            x[3, 2] = float("nan")
        yield x, x.sum(1, keepdim=True)


def train():
    rank = int(os.environ["RANK"])
    torch.manual_seed(0)
    model = DDP(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step, (x, y) in enumerate(batches(rank)):
        loss = nn.functional.mse_loss(model(x), y)
        if not torch.isfinite(loss):
            print(f"[rank {rank}] step {step}: loss is {loss.item()}, stopping")
            break  # run: collective-on-one-rank or rank-died or collectives-differ
        optimizer.zero_grad()
        loss.backward()  # run: collective-on-one-rank or rank-died or collectives-differ
        optimizer.step()
    dist.barrier()  # run: collective-on-one-rank or rank-died or collectives-differ


if __name__ == "__main__":
    dist.init_process_group("gloo")
    train()
    dist.destroy_process_group()
