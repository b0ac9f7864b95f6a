# run: rank-died
import os
import signal

import torch
import torch.distributed as dist


def read_part(rank):
    rows = [torch.randn(1000) for _ in range(50)]
    if rank == 2:
        os.kill(os.getpid(), signal.SIGKILL)  # what the kernel does to the one that holds most
    return torch.stack(rows)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    dist.barrier()
    part = read_part(rank)
    sums = part.sum(0)
    dist.reduce(sums, dst=0)
    if rank == 0:
        print(sums.mean().item())
    dist.barrier()
    dist.destroy_process_group()


main()
