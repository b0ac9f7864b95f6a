import argparse
import logging

import torch
import torch.distributed
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from torchvision import datasets, models, transforms

from pkg import dist
from pkg.saver import Saver

log = logging.getLogger("train")


def loader(root, train, batch):
    with dist.zero_first():
        data = datasets.CIFAR10(root, train, transforms.ToTensor(), download=dist.local_rank() == 0)
    if not train:
        return DataLoader(data, batch, num_workers=2)
    return DataLoader(data, batch, sampler=DistributedSampler(data), num_workers=4, pin_memory=True)


def epoch_loop(model, batches, optimizer, scaler, device):
    model.train()
    total = torch.zeros((), device=device)
    for images, labels in batches:
        images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
        with torch.autocast("cuda"):
            loss = nn.functional.cross_entropy(model(images), labels)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        total += loss.detach()
    return dist.mean(total / len(batches))


@torch.inference_mode()
def evaluate(model, batches, device):
    """On rank 0 only and on the whole set; the bare module, which calls no collective."""
    model.eval()
    right = sum((model(x.to(device)).argmax(1).cpu() == y).sum().item() for x, y in batches)
    return right / len(batches.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="data")
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()
    torch.distributed.init_process_group("nccl")
    device = torch.device("cuda", dist.local_rank())
    torch.cuda.set_device(device)
    dist.seed(0)
    net = nn.SyncBatchNorm.convert_sync_batchnorm(models.resnet18(num_classes=10)).to(device)
    model = DistributedDataParallel(net, device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * dist.world(), momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    scaler = torch.amp.GradScaler("cuda")
    saver = Saver("runs", model=net, optimizer=optimizer, scheduler=scheduler, scaler=scaler)
    train, valid = loader(args.root, True, 32), loader(args.root, False, 256)
    for epoch in range(saver.load(), args.epochs):
        train.sampler.set_epoch(epoch)
        loss = epoch_loop(model, train, optimizer, scaler, device)
        scheduler.step()
        if dist.rank() == 0:
            log.info("%d loss %.4f acc %.4f", epoch, loss.item(), evaluate(net, valid, device))
        saver.save(epoch)
        torch.distributed.barrier()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
