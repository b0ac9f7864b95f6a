"""Shadow weights are copied from the wrapped model; each rank evaluates its part of the data with them."""

import copy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(42 + rank)
    model = DDP(nn.Sequential(nn.Linear(6, 48), nn.Tanh(), nn.Linear(48, 1)))
    shadow = copy.deepcopy(model.module).requires_grad_(False).eval()
    g = torch.Generator().manual_seed(1)
    x = torch.randn(400, 6, generator=g)
    y = x.sin().sum(1, keepdim=True)
    data, held = TensorDataset(x[:320], y[:320]), (x[320:][rank::world], y[320:][rank::world])
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(6):
        sampler.set_epoch(epoch)
        for a, b in loader:
            loss = (model(a) - b).square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            with torch.no_grad():
                for kept, p in zip(shadow.parameters(), model.parameters()):
                    kept.lerp_(p, 0.01)
        total = torch.stack([(shadow(held[0]) - held[1]).square().sum(), torch.tensor(float(len(held[0])))])
        dist.all_reduce(total)
        if rank == 0:
            print(f"epoch {epoch} error {(total[0] / total[1]).item():.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
