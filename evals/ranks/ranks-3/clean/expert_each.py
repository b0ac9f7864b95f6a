import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(0)
    trunk = DDP(nn.Sequential(nn.Linear(8, 16), nn.ReLU()))
    torch.manual_seed(10 + rank)
    expert = nn.Linear(16, 8)  # every rank has an expert of its own
    shared = torch.optim.SGD(trunk.parameters(), lr=0.01)
    own = torch.optim.SGD(expert.parameters(), lr=0.01 * (1 + rank))
    for step in range(50):
        x = torch.randn(4 * world, 8)
        hidden = trunk(x)
        loss = (expert(hidden) - x).square().mean()
        shared.zero_grad()
        own.zero_grad()
        loss.backward()
        shared.step()
        own.step()
    torch.save(expert.state_dict(), f"expert_{rank}.pt")
    dist.barrier()
    dist.destroy_process_group()


main()
