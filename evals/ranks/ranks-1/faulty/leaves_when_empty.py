import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def work_of(rank):
    files = [f"part-{n}.txt" for n in range(7)]
    return files[rank::2]


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    todo = work_of(dist.get_rank())
    while True:
        if not todo:
            print("nothing left to do")
            sys.exit(0)  # run: rank-died or collectives-differ
        name = todo.pop()
        torch.manual_seed(hash(name) % 1000)
        optimizer.zero_grad()
        model(torch.randn(8, 4)).square().mean().backward()  # run: rank-died or collectives-differ
        optimizer.step()


if __name__ == "__main__":
    main()
