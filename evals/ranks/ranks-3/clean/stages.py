import torch
import torch.distributed as dist
from torch import nn

MICRO = 4


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)  # each rank holds another part of the model
    stage = nn.Sequential(nn.Linear(8, 8), nn.Tanh())
    optimizer = torch.optim.SGD(stage.parameters(), lr=0.05)
    for step in range(12):
        kept = []
        for _ in range(MICRO):
            if rank == 0:
                x = torch.randn(4, 8)
            else:
                x = torch.empty(4, 8)
                dist.recv(x, src=rank - 1)
                x.requires_grad_()
            y = stage(x)
            kept.append((x, y))
            if rank + 1 < world:
                dist.send(y.detach(), dst=rank + 1)
        for x, y in reversed(kept):
            if rank + 1 == world:
                y.square().mean().backward()
            else:
                g = torch.empty_like(y)
                dist.recv(g, src=rank + 1)
                y.backward(g)
            if rank > 0:
                dist.send(x.grad, dst=rank - 1)
        optimizer.step()
        optimizer.zero_grad()
    if rank == 0:
        swap = torch.zeros(2)
        ops = [dist.P2POp(dist.isend, torch.ones(2), 2), dist.P2POp(dist.irecv, swap, 2)]
    elif rank == 2:
        swap = torch.zeros(2)
        ops = [dist.P2POp(dist.isend, torch.ones(2), 0), dist.P2POp(dist.irecv, swap, 0)]
    else:
        ops = []
    for work in dist.batch_isend_irecv(ops) if ops else []:
        work.wait()
    dist.barrier()
    dist.destroy_process_group()


main()
