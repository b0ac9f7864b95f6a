"""float16 with gradients that are averaged by hand, after the scaler has looked at them."""

import torch
import torch.distributed as dist
from torch import nn


def batch(step, rank):
    g = torch.Generator().manual_seed(1000 * rank + step)
    x = torch.randn(16, 24, generator=g)
    if step % 25 == 13 and rank == 1:
        x[3] *= 3e4  # a broken sensor
    return x, x[:, :1].clamp(-4, 4)


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**16)
    for step in range(120):
        x, y = batch(step, rank)
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.mse_loss(out.float(), y)
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)  # run: ranks-diverge or averaging-by-hand-incomplete or nan-loss
        for p in net.parameters():
            dist.all_reduce(p.grad)
            p.grad /= world
        scaler.step(opt)  # run: ranks-diverge or averaging-by-hand-incomplete or nan-loss
        scaler.update()  # run: ranks-diverge or averaging-by-hand-incomplete or nan-loss
        if rank == 0 and step % 20 == 0:
            print(step, round(loss.item(), 4), scaler.get_scale())
    weight = sum(p.detach().abs().nan_to_num(0).sum() for p in net.parameters())
    print(f"[{rank}] scale {scaler.get_scale():.0f} weight {weight.item():.6f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
