import torch
import torch.distributed as dist

from ..utils.dist import is_main, reduce_mean
from ..utils.meters import Meter


def train_one_epoch(model, criterion, optimizer, loader, device, epoch, scheduler=None):
    model.train()
    meter = Meter()
    for i, (images, targets) in enumerate(loader):  # check: sampler-epoch-not-set (nothing tells the sampler of this loader)
        images = images.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        optimizer.zero_grad()
        out = model.module(images)  # check: trained-past-wrapper
        loss = criterion(out, targets)
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        if is_main() and i % 50 == 0:
            mean = reduce_mean(loss)  # check: collective-on-one-rank
            print(f"{epoch} {i} {mean.item():.4f}")
        meter.update(loss)  # check: loss-keeps-graph
    return meter.mean


def evaluate(model, loader, device):
    model.eval()
    right = torch.zeros(1, device=device)
    seen = torch.zeros(1, device=device)
    for images, targets in loader:
        out = model(images.to(device))  # check: validation-records-gradients
        right += (out.argmax(1) == targets.to(device)).sum()
        seen += targets.size(0)
    dist.all_reduce(right)
    dist.all_reduce(seen)
    return (right / seen).item()  # check: metrics-over-padding
