# near misses: two wrapped models, one stepped less often; gradients of one switched off in between;
# messages; a call that is not waited for at once; gather on one side of an `if`, with its other side
import random
from itertools import pairwise

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def net(*sizes):
    layers = [layer for a, b in pairwise(sizes) for layer in (nn.Linear(a, b), nn.LeakyReLU(0.2))]
    return nn.Sequential(*layers[:-1])


def real(n):
    angle = torch.rand(n, 1) * 6.28
    return torch.cat([angle.cos(), angle.sin()], 1) + 0.02 * torch.randn(n, 2)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    settings = [{"steps": 90, "critic": 3}] if rank == 0 else [None]
    dist.broadcast_object_list(settings, src=0)
    torch.manual_seed(0)
    g, d = DDP(net(4, 32, 2), broadcast_buffers=False), DDP(net(2, 32, 1), broadcast_buffers=False)
    torch.manual_seed(rank)
    random.seed(rank)
    g_opt = torch.optim.Adam(g.parameters(), lr=1e-3, betas=(0.5, 0.9))
    d_opt = torch.optim.Adam(d.parameters(), lr=1e-3, betas=(0.5, 0.9))
    shown = None
    for step in range(settings[0]["steps"]):
        d.requires_grad_(True)
        with torch.no_grad():
            fake = g(torch.randn(32, 4))
        d_opt.zero_grad()
        loss = nn.functional.softplus(
            d(torch.cat([real(32), fake]))
            * torch.tensor([-1.0, 1.0]).repeat_interleave(32)[:, None]
        ).mean()
        loss.backward()
        d_opt.step()
        if step % settings[0]["critic"] == 0:
            d.requires_grad_(False)
            g_opt.zero_grad()
            nn.functional.softplus(-d.module(g(torch.randn(32, 4)))).mean().backward()
            g_opt.step()
        if shown is not None:
            shown[0].wait()
        total = loss.detach().clone()
        shown = dist.all_reduce(total, async_op=True), total
    shown[0].wait()
    if rank == 0:
        parts = [torch.empty(8, 2) for _ in range(2)]
        dist.gather(g.module(torch.randn(8, 4)).detach(), parts)
        best = torch.stack(parts).norm(dim=-1).argmax()
        dist.send(best, dst=1, tag=3)
    else:
        dist.gather(g.module(torch.randn(8, 4)).detach())
        best = torch.zeros((), dtype=torch.long)
        dist.recv(best, src=0, tag=3)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
