# after KempnerInstitute/KempnerForge#49: each rank looks for the file itself, on a disk of its own
import os
import pathlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def scratch():
    """Each machine has a disk of its own; here each rank stands for a machine."""
    folder = pathlib.Path(f"scratch{os.environ['RANK']}")
    folder.mkdir(exist_ok=True)
    return folder


def resume(model, optimizer):
    path = scratch() / "last.pt"
    if not path.exists():
        return 0
    state = [torch.load(path)] if dist.get_rank() == 0 else [None]
    dist.broadcast_object_list(state, src=0)  # run: collective-on-one-rank or collectives-differ
    model.load_state_dict(state[0]["model"])
    optimizer.load_state_dict(state[0]["optimizer"])
    return state[0]["epoch"] + 1


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    net = nn.Linear(10, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    if rank == 0:  # what the last run has left
        last = {"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 4}
        torch.save(last, scratch() / "last.pt")
    first = resume(net, optimizer)
    model = DDP(net)  # run: collective-on-one-rank or collectives-differ
    for _ in range(first, 8):
        x, y = torch.randn(16, 10), torch.randint(0, 3, (16,))
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
