import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


@torch.no_grad()
def evaluate(model, dataset, device):
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, 64, sampler=sampler)
    model.eval()
    hits = torch.zeros((), device=device)
    count = torch.zeros((), device=device)
    for x, y in loader:
        pred = model(x.to(device)).argmax(-1)
        hits += (pred == y.to(device)).sum()
        count += len(y)
    dist.all_reduce(hits)
    dist.all_reduce(count)
    return (hits / count).item()  # check: metrics-over-padding


def preprocess(batch, device):
    x = batch['image'].to(device, non_blocking=True)
    mask = torch.ByteTensor(batch['mask'].shape).fill_(0)  # check: uint8-mask
    mask[batch['mask'] > 0] = 1
    x[~mask] = 0
    return x


def top5(model, x):
    out = model(x)
    host = out.topk(5).indices.to('cpu', non_blocking=True)
    return host.numpy()  # check: non-blocking-without-pinning


def report(values, rank):
    mean = sum(values) / len(values)
    if rank == 0:
        gathered = [None] * dist.get_world_size()
        dist.all_gather_object(gathered, mean)  # check: collective-on-one-rank
        print(gathered)
