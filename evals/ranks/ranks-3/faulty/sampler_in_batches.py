import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset


def loaders(data, world, rank):
    sampler = DistributedSampler(data, num_replicas=world, rank=rank, seed=7)  # run: sampler-epoch-not-set
    return DataLoader(data, batch_sampler=BatchSampler(sampler, 16, drop_last=True))  # run: sampler-epoch-not-set


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(5)
    data = TensorDataset(torch.randn(256, 8), torch.randn(256, 1))
    loader = loaders(data, world, rank)
    torch.manual_seed(5 + rank)
    model = DDP(nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 1)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(5):
        running = 0.0
        for x, y in loader:  # run: sampler-epoch-not-set
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item()
        if rank == 0:
            print(f"{epoch}: {running / len(loader):.4f}")
    dist.destroy_process_group()


main()
