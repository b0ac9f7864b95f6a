import json
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def mean_over_ranks(value):
    value = value.detach().clone()
    dist.all_reduce(value)
    return (value / dist.get_world_size()).item()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(1)
    data = TensorDataset(torch.randn(200, 10), torch.randint(0, 4, (200,)))
    torch.manual_seed(100 + rank)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(10, 32), nn.Dropout(0.1), nn.ReLU(), nn.Linear(32, 4)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    history = []
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for step, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            shared = mean_over_ranks(loss)
            if rank == 0:
                history.append({"epoch": epoch, "step": step, "loss": shared})
                with torch.no_grad():
                    model.module.eval()
                    model.module(x)  # not through the wrapper: no rank is waited for
                    model.module.train()
        with open(f"log_{rank}.json", "w") as out:
            json.dump(history, out)
        if rank == 0:
            torch.save(model.module.state_dict(), "last.tmp")
            os.replace("last.tmp", "last.pt")
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
