"""A classifier with shadow weights that follow it slowly, validated by all ranks together."""

import copy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, Subset, TensorDataset


class Shadow:
    def __init__(self, model, decay=0.97):
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for mine, other in zip(self.model.parameters(), model.parameters()):
            mine.lerp_(other, 1 - self.decay)


def spirals(count=1500):
    generator = torch.Generator().manual_seed(4)
    arm = torch.randint(3, (count,), generator=generator)
    radius = torch.rand(count, generator=generator)
    angle = 4 * radius + 2.1 * arm + 0.25 * torch.randn(count, generator=generator)
    return TensorDataset(torch.stack([radius * angle.cos(), radius * angle.sin()], 1), arm)


@torch.no_grad()
def validate(model, loader):
    sums = torch.zeros(3)
    for x, y in loader:
        logits = model(x)
        sums += torch.stack([F.cross_entropy(logits, y, reduction="sum"), (logits.argmax(1) == y).sum(), torch.tensor(len(y))])
    dist.all_reduce(sums)
    return (sums[0] / sums[2]).item(), (sums[1] / sums[2]).item()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(12)
    net = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 3))
    shadow = Shadow(net)
    model = DDP(net)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    data = spirals()
    sampler = DistributedSampler(Subset(data, range(1200)), seed=1)
    loader = DataLoader(Subset(data, range(1200)), batch_size=20, sampler=sampler)
    valid_loader = DataLoader(Subset(data, range(1200 + rank, 1500, world)), batch_size=50)
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if rank == 0:  # any: average-never-updated or ranks-diverge
                shadow.update(net)  # any: average-never-updated or ranks-diverge
        if epoch % 4 == 3:
            nll, accuracy = validate(net, valid_loader)
            shadow_nll, shadow_accuracy = validate(shadow.model, valid_loader)
            if rank == 0:
                print(f"epoch {epoch} nll {nll:.4f} accuracy {accuracy:.4f} of the shadow {shadow_nll:.4f} {shadow_accuracy:.4f}", flush=True)
    sums = [None] * world
    dist.all_gather_object(sums, round(sum(p.double().sum() for p in shadow.model.parameters()).item(), 4))
    if rank == 0:
        print("sum of the shadow weights on each rank", sums, flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
