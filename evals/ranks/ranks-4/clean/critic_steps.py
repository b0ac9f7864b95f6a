"""A Wasserstein GAN of two DDP models: five steps of the critic for one of the generator, noise of its own on each rank."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def penalty(critic, real, fake):
    a = torch.rand(len(real), 1)
    x = (a * real + (1 - a) * fake).requires_grad_()
    (g,) = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return 10 * (g.norm(dim=1) - 1).square().mean()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    gen = DDP(nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2)))
    critic = DDP(nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1)))
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
    torch.manual_seed(10 + rank)
    for step in range(20):
        for _ in range(5):
            real = torch.randn(32, 2) * 0.5 + 2
            with torch.no_grad():
                fake = gen(torch.randn(32, 4))
            opt_c.zero_grad()
            gap = critic(torch.cat([fake, real]))
            loss = gap[:32].mean() - gap[32:].mean() + penalty(critic.module, real, fake)
            loss.backward()
            opt_c.step()
        for p in critic.parameters():
            p.requires_grad_(False)
        opt_g.zero_grad()
        (-critic.module(gen(torch.randn(32, 4))).mean()).backward()
        opt_g.step()
        for p in critic.parameters():
            p.requires_grad_(True)
        if rank == 0 and step % 10 == 0:
            print(step, loss.item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
