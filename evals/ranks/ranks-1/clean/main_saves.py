import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    x = torch.randn(128, 4)
    data = TensorDataset(x, x.sum(1, keepdim=True))
    sampler = DistributedSampler(data, seed=3)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        total = torch.zeros(())
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        dist.reduce(total, dst=0)
        path = os.path.join(
            tempfile.gettempdir(), f"fine-main-saves-{os.environ['MASTER_PORT']}.pt"
        )
        if rank == 0:
            print(f"epoch {epoch}: {total.item() / 2 / len(loader):.4f}")
            torch.save(model.module.state_dict(), path)
        dist.barrier()
        model.module.load_state_dict(torch.load(path, map_location="cpu"))
        dist.barrier()
        if rank == 0:
            os.remove(path)
    dist.destroy_process_group()


main()
