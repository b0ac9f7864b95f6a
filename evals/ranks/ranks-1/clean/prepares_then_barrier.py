import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def prepare(rank):
    if rank == 0:
        time.sleep(2.5)  # downloads
    dist.barrier()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    prepare(rank)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(8, 8))
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(60):
        optimizer.zero_grad()
        model(torch.randn(16, 8)).square().mean().backward()
        optimizer.step()
        if step % 20 == 19 and rank == 0:
            time.sleep(1.5)  # writes a sample picture; the other waits in its next backward
    dist.destroy_process_group()


main()
