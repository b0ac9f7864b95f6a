import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

SNAPSHOT = "snapshot.pt"


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(3, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    start = 0
    if os.path.exists(SNAPSHOT):
        snapshot = torch.load(SNAPSHOT, map_location="cpu")
        model.module.load_state_dict(snapshot["model"])
        start = snapshot["step"]
        print(f"rank {rank} goes on at step {start}")
    for step in range(start, 40):
        if step == 20 and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
            if rank == 1:
                raise RuntimeError("this machine is taken away")
        optimizer.zero_grad()
        model(torch.randn(8, 3)).square().mean().backward()
        optimizer.step()
        if (step + 1) % 10 == 0:
            if rank == 0:
                torch.save({"model": model.module.state_dict(), "step": step + 1}, SNAPSHOT)
            dist.barrier()
    dist.destroy_process_group()


main()
