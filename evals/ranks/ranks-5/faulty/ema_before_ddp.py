"""The shadow weights are copied before the model is wrapped; each rank evaluates its part with them."""

import copy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Ema:
    def __init__(self, model, decay=0.99):
        self.decay, self.module = decay, copy.deepcopy(model).requires_grad_(False).eval()

    @torch.no_grad()
    def update(self, model):
        for shadow, p in zip(self.module.parameters(), model.parameters()):
            shadow.lerp_(p, 1 - self.decay)  # run: ranks-diverge or models-differ-between-ranks or averaging-by-hand-incomplete


def error(module, x, y):
    total = torch.stack([(module(x) - y).square().sum(), torch.tensor(float(len(x)))])
    dist.all_reduce(total)
    return (total[0] / total[1]).item()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(42 + rank)  # run: ranks-diverge or models-differ-between-ranks or averaging-by-hand-incomplete
    model = nn.Sequential(nn.Linear(6, 48), nn.Tanh(), nn.Linear(48, 1))
    ema = Ema(model)  # run: ranks-diverge or models-differ-between-ranks or averaging-by-hand-incomplete
    model = DDP(model)
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
            ema.update(model.module)  # run: ranks-diverge or models-differ-between-ranks or averaging-by-hand-incomplete
        with torch.no_grad():
            value = error(ema.module, *held)  # run: ranks-diverge or models-differ-between-ranks or averaging-by-hand-incomplete
        if rank == 0:
            print(f"epoch {epoch} ema error {value:.4f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
