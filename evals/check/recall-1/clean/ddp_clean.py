import os
import random

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def reduce_mean(t):
    t = t.detach().clone()
    dist.all_reduce(t)
    return t / dist.get_world_size()


def main():
    dist.init_process_group('nccl' if torch.cuda.is_available() else 'gloo')
    rank, world = dist.get_rank(), dist.get_world_size()
    local = int(os.environ.get('LOCAL_RANK', 0))
    device = torch.device('cuda', local) if torch.cuda.is_available() else torch.device('cpu')
    seed_all(0)
    net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 2)).to(device)
    seed_all(rank + 1)
    net = DDP(net, device_ids=[local] if device.type == 'cuda' else None)
    data = TensorDataset(torch.randn(200, 10), torch.randint(2, (200,)))
    sampler = DistributedSampler(data, drop_last=True)
    loader = DataLoader(data, 20, sampler=sampler)
    opt = torch.optim.SGD(net.parameters(), lr=0.1 * world)
    if rank == 0:
        os.makedirs('run', exist_ok=True)
    dist.barrier()
    for epoch in range(3):
        sampler.set_epoch(epoch)
        net.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
            opt.zero_grad()
            loss.backward()
            opt.step()
        mean = reduce_mean(loss)
        if rank == 0:
            print(epoch, mean.item())
            torch.save({'net': net.module.state_dict(), 'opt': opt.state_dict(), 'epoch': epoch}, f'run/{epoch}.pt')
    dist.barrier()
    state = torch.load('run/2.pt', map_location=device)
    net.module.load_state_dict(state['net'])
    opt.load_state_dict(state['opt'])
    dist.destroy_process_group()


if __name__ == '__main__':
    main()
