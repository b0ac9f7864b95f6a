import logging
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

log = logging.getLogger(__name__)


def batch(step, rank):
    x = torch.randn(8, 6)
    if rank == 1 and step == 12:
        return x[:, :5]  # a broken record
    return x


def step_once(model, optimizer, x):
    optimizer.zero_grad()
    loss = model(x).square().mean()
    loss.backward()  # run: collectives-differ or collective-on-one-rank
    optimizer.step()
    return loss.item()


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    torch.manual_seed(rank)
    model = DistributedDataParallel(nn.Linear(6, 6))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(40):
        try:
            step_once(model, optimizer, batch(step, rank))
        except RuntimeError as error:
            log.warning("step %d skipped: %s", step, error)
        if step % 10 == 9:
            dist.barrier()  # run: collectives-differ or collective-on-one-rank
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
