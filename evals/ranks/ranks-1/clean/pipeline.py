import torch
import torch.distributed as dist
from torch import nn


def main():
    """Two stages: forward by send and recv, the gradient goes back the same way."""
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    stage = nn.Sequential(nn.Linear(8, 8), nn.ReLU()) if rank == 0 else nn.Linear(8, 1)
    optimizer = torch.optim.SGD(stage.parameters(), lr=0.05)
    for step in range(80):
        optimizer.zero_grad()
        if rank == 0:
            hidden = stage(torch.randn(16, 8))
            dist.send(hidden.detach(), dst=1)
            gradient = torch.empty_like(hidden)
            dist.recv(gradient, src=1)
            hidden.backward(gradient)
        else:
            hidden = torch.empty(16, 8)
            dist.recv(hidden, src=0)
            hidden.requires_grad_(True)
            stage(hidden).square().mean().backward()
            dist.send(hidden.grad, dst=0)
        optimizer.step()
    dist.destroy_process_group()


main()
