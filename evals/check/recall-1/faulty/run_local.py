"""Start training on all the cards of this machine."""
import argparse
import subprocess
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def launch():
    n = torch.cuda.device_count()
    cmd = [sys.executable, '-m', 'torch.distributed.launch', f'--nproc_per_node={n}', __file__, '--worker']  # check: launcher-deprecated
    return subprocess.call(cmd)


def worker(local_rank):
    torch.cuda.set_device(local_rank)
    dist.init_process_group('nccl', init_method='env://')
    net = nn.Sequential(nn.Conv2d(3, 32, 3), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(), nn.LazyLinear(5)).cuda()  # check: bias-before-batchnorm (not planted)
    net(torch.zeros(1, 3, 32, 32).cuda())
    net = DDP(net, device_ids=[local_rank])  # check: sync-batchnorm-missing
    ds = TensorDataset(torch.randn(64, 3, 32, 32), torch.randint(5, (64,)))
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, batch_size=2, sampler=sampler)
    opt = torch.optim.SGD(net.parameters(), 0.01)
    for epoch in range(3):
        for x, y in loader:  # check: sampler-epoch-not-set
            loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
    dist.destroy_process_group()


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--worker', action='store_true')
    parser.add_argument('--local_rank', type=int, default=0)  # check: launcher-deprecated
    args = parser.parse_args()
    worker(args.local_rank) if args.worker else sys.exit(launch())
