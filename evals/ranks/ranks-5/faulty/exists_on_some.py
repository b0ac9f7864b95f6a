"""Resumes from a checkpoint on the local disk of the machine, where only one rank has written it."""

import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Manager:
    def __init__(self, folder):
        self.folder = Path(folder)

    def save(self, model, optimizer, step):
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
        torch.save(state, self.folder / "state.pt")

    def load(self, model, optimizer):
        path = self.folder / "state.pt"
        if not path.exists():
            return 0
        state = [torch.load(path) if dist.get_rank() == 0 else None]
        dist.broadcast_object_list(state, src=0)  # run: collective-on-one-rank or collectives-differ
        model.load_state_dict(state[0]["model"])
        optimizer.load_state_dict(state[0]["optimizer"])
        return state[0]["step"]


def train(model, optimizer, first, last):
    for step in range(first, last):
        torch.manual_seed(step + 1000 * dist.get_rank())
        x = torch.randn(8, 5)
        loss = (model(x) - x[:, :1]).square().mean()
        optimizer.zero_grad()
        loss.backward()  # run: collective-on-one-rank or collectives-differ
        optimizer.step()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(nn.Linear(5, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    manager = Manager(tempfile.mkdtemp(prefix=f"node{rank}_"))
    train(model, optimizer, 0, 20)
    if rank == 0:
        manager.save(model, optimizer, 20)
    dist.barrier()
    first = manager.load(model, optimizer)  # run: collective-on-one-rank or collectives-differ
    train(model, optimizer, first, 40)  # run: collective-on-one-rank or collectives-differ
    print(rank, "done")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
