"""A regression that goes on where it stopped; the second call of train stands for the second job."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

PATH = "last.pt"


def is_main():
    return dist.get_rank() == 0


def save(model, optimizer, epoch):
    if is_main():
        state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, PATH + ".tmp")
        os.replace(PATH + ".tmp", PATH)
    dist.barrier()


def resume(net, optimizer):
    start = torch.zeros((), dtype=torch.long)
    if is_main() and os.path.exists(PATH):
        state = torch.load(PATH, weights_only=True)
        net.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])  # run: ranks-diverge
        start.fill_(state["epoch"] + 1)
    dist.broadcast(start, src=0)
    return int(start)


def batches(epoch, n=20, size=32):
    g = torch.Generator().manual_seed(1000 * epoch + dist.get_rank())
    for _ in range(n):
        x = torch.rand(size, 6, generator=g) * 4 - 2
        yield x, torch.cos(x).prod(1, keepdim=True)


def train(until):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 96), nn.SiLU(), nn.Linear(96, 1))
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)
    start = resume(net, optimizer)
    model = DDP(net)
    for epoch in range(start, until):
        total = torch.zeros(2)
        for x, y in batches(epoch):
            loss = nn.functional.huber_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()  # run: ranks-diverge
            total += torch.tensor([loss.item(), 1.0])
        dist.all_reduce(total)
        if is_main():
            print(f"epoch {epoch} loss {(total[0] / total[1]).item():.5f}", flush=True)
        save(model, optimizer, epoch)
    return model


def main():
    dist.init_process_group("gloo")
    if is_main() and os.path.exists(PATH):
        os.remove(PATH)
    dist.barrier()
    train(until=3)
    model = train(until=6)
    if is_main():
        with torch.no_grad():
            x, y = next(batches(99, size=2000))
            print(f"held out {nn.functional.huber_loss(model.module(x), y).item():.5f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
