import argparse, os, random
import numpy as np
import torch, torch.nn as nn, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def get_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--resume", default="")
    ap.add_argument("--epochs", type=int, default=5)
    return ap.parse_args()


def set_seed(s):
    random.seed(s)
    np.random.seed(s)
    torch.manual_seed(s)  # check: rank-seeds-equal


def run(args):
    dist.init_process_group(backend="nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    torch.cuda.set_device(device)
    set_seed(42)
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1),  # check: bias-before-batchnorm (not planted)
                        nn.Flatten(), nn.Dropout(0.5), nn.Linear(8, 10)).to(device)
    net = DistributedDataParallel(net, device_ids=[local_rank])
    optim = torch.optim.Adam(net.parameters())
    start = 0
    if args.resume:
        ckpt = torch.load(args.resume)  # check: map-location-missing
        net.module.load_state_dict(ckpt["net"])
        optim.load_state_dict(ckpt["optim"])
        start = ckpt["epoch"] + 1
    ds = TensorDataset(torch.randn(512, 3, 16, 16), torch.randint(10, (512,)))
    sampler = DistributedSampler(ds)
    dl = DataLoader(ds, 32, sampler=sampler, pin_memory=True)
    for epoch in range(start, args.epochs):
        sampler.set_epoch(epoch)
        net.train()
        for x, y in dl:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            optim.zero_grad(set_to_none=True)
            nn.functional.cross_entropy(net(x), y).backward()
            optim.step()
        if local_rank == 0:  # check: local-rank-for-rank
            torch.save(dict(net=net.module.state_dict(), optim=optim.state_dict(), epoch=epoch), "ck.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    run(get_args())
