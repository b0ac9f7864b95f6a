"""A regression network is split over two ranks by its hidden units, trained further on new data, and joined again."""

import copy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F

INPUTS, WIDTH = 6, 48


class Copied(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        grad = grad.contiguous()
        dist.all_reduce(grad)
        return grad


class Summed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


class Columns(nn.Module):
    def __init__(self, layer, rank, world):
        super().__init__()
        self.weight = nn.Parameter(layer.weight.detach().chunk(world, 0)[rank].clone())
        self.bias = nn.Parameter(layer.bias.detach().chunk(world, 0)[rank].clone())

    def forward(self, x):
        return F.linear(Copied.apply(x), self.weight, self.bias)


class Rows(nn.Module):
    def __init__(self, layer, rank, world):
        super().__init__()
        self.weight = nn.Parameter(layer.weight.detach().chunk(world, 1)[rank].clone())
        self.bias = nn.Parameter(layer.bias.detach().clone())

    def forward(self, x):
        return Summed.apply(F.linear(x, self.weight, self.bias))  # any: bias-summed-over-ranks


def network():
    return nn.Sequential(nn.Linear(INPUTS, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 16), nn.Tanh(), nn.Linear(16, WIDTH), nn.Tanh(), nn.Linear(WIDTH, 1))


def split(model, rank, world):
    layers = [Columns(model[0], rank, world), nn.Tanh(), Rows(model[2], rank, world), nn.Tanh(), Columns(model[4], rank, world), nn.Tanh(), Rows(model[6], rank, world)]
    return nn.Sequential(*layers)


@torch.no_grad()
def joined(model, parts, world):
    whole = copy.deepcopy(model)
    for i in (0, 2, 4, 6):
        for name, dim in (("weight", 0 if i in (0, 4) else 1), ("bias", 0 if i in (0, 4) else None)):
            mine = getattr(parts[i], name).detach().contiguous()
            if dim is not None:
                pieces = [torch.empty_like(mine) for _ in range(world)]
                dist.all_gather(pieces, mine)
                mine = torch.cat(pieces, dim)
            getattr(whole[i], name).copy_(mine)
    return whole


def readings(count, seed, shift):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(count, INPUTS, generator=generator)
    y = 2.5 + (x[:, 0] * 1.5 + shift).sin() + x[:, 1] * x[:, 2] * 0.5
    return x, (y + 0.1 * torch.randn(count, generator=generator))[:, None]


def train(model, x, y, steps, seed, lr=1e-2):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        rows = torch.randint(len(x), (64,), generator=generator)
        loss = F.mse_loss(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def error(model, x, y):
    return F.mse_loss(model(x), y).sqrt().item()


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(2)
    model = network()
    train(model, *readings(1000, 1, 0.0), steps=300, seed=1)
    new, valid = readings(600, 3, 0.4), readings(500, 4, 0.4)
    parts = split(model, rank, world)
    before = error(model, *valid), error(parts, *valid)
    train(parts, *new, steps=150, seed=2, lr=3e-3)
    after, again = error(parts, *valid), error(joined(model, parts, world), *valid)
    if rank == 0:
        print(f"valid error of the whole {before[0]:.4f} split {before[1]:.4f}", flush=True)
        print(f"after training split {after:.4f} joined {again:.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
