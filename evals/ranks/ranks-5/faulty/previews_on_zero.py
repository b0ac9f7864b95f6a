"""A diffusion model; the first process also draws previews while it trains."""

import time

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Denoiser(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 128), nn.SiLU(), nn.Linear(128, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


@torch.no_grad()
def preview(model, steps=30, n=128):
    g = torch.Generator().manual_seed(0)
    x = torch.randn(n, 32, generator=g)
    for i in reversed(range(steps)):
        t = torch.full((n, 1), i / steps)
        x = x - model(x, t) / steps + 0.01 * torch.randn(n, 32, generator=g)
    return x


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DDP(Denoiser())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    torch.manual_seed(rank)
    began = time.time()
    for step in range(400):
        x, t = torch.randn(32, 32).tanh(), torch.rand(32, 1)
        noise = torch.randn_like(x)
        loss = (model((1 - t) * x + t * noise, t) - (noise - x)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0 and step % 2 == 0:
            image = preview(model.module)  # run: rank-slower-than-others
            if step % 100 == 0:
                print(f"{step}: {loss.item():.3f} {image.std().item():.2f} {time.time() - began:.1f} s", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
