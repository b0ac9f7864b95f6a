from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Checkpointer:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def save(self, model, optimizer, epoch):
        state = {
            "epoch": epoch,
            "model": model.module.state_dict(),
            "optimizer": optimizer.state_dict(),
        }
        with open(self.folder / f"epoch_{epoch}.pt", "wb") as out:  # run: saved-on-every-rank
            torch.save(state, out)  # run: saved-on-every-rank


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(64, 64))
    optimizer = torch.optim.Adam(model.parameters())
    saver = Checkpointer("runs/first")
    for epoch in range(3):
        for _ in range(8):
            x = torch.randn(16, 64)
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
        saver.save(model, optimizer, epoch)
    dist.destroy_process_group()


main()
