import argparse
import os
import random
import shutil
import time

import numpy as np
import torch
import torch.backends.cudnn as cudnn
import torch.distributed as dist
import torch.nn as nn
import torch.optim
import torchvision.datasets as datasets
import torchvision.models as models
import torchvision.transforms as transforms

model_names = sorted(n for n in models.__dict__ if n.islower() and not n.startswith("__") and callable(models.__dict__[n]))

parser = argparse.ArgumentParser(description="ImageNet finetuning")
parser.add_argument("data", metavar="DIR")
parser.add_argument("-a", "--arch", default="resnet18", choices=model_names)
parser.add_argument("-b", "--batch-size", default=256, type=int)
parser.add_argument("--lr", default=0.1, type=float)
parser.add_argument("--epochs", default=90, type=int)
parser.add_argument("--resume", default="", type=str)
parser.add_argument("--seed", default=None, type=int)
parser.add_argument("--local_rank", type=int, default=0)  # check: launcher-deprecated


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        _, pred = output.topk(maxk, 1, True, True)
        correct = pred.t().eq(target.view(1, -1))
        return [correct[:k].reshape(-1).float().sum(0) * 100.0 / target.size(0) for k in topk]


class AverageMeter(object):
    def __init__(self):
        self.val = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n


def main():
    args = parser.parse_args()
    if args.seed is not None:
        random.seed(args.seed)
        torch.manual_seed(args.seed)
        cudnn.deterministic = True
    dist.init_process_group("nccl")
    torch.cuda.set_device(args.local_rank)
    model = models.__dict__[args.arch](pretrained=True)  # check: pretrained-flag
    for p in model.parameters():
        p.requires_grad = False  # check: batchnorm-updates-in-forward
    model.fc = nn.Linear(model.fc.in_features, 100)
    model = nn.parallel.DistributedDataParallel(model.cuda(), device_ids=[args.local_rank])
    criterion = nn.CrossEntropyLoss().cuda()
    optimizer = torch.optim.SGD(model.module.fc.parameters(), args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30)
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        start = checkpoint["epoch"]
        model.load_state_dict(checkpoint["state_dict"])  # check: resume-incomplete

    transform = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])
    train_set = datasets.ImageFolder(os.path.join(args.data, "train"), transform)
    loader = torch.utils.data.DataLoader(train_set, args.batch_size, shuffle=True, num_workers=8, pin_memory=True)  # check: loader-not-sharded
    for epoch in range(start, args.epochs):
        train(loader, model, criterion, optimizer, epoch)
        scheduler.step()
        if args.local_rank == 0:  # check: local-rank-for-rank
            torch.save({"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, "checkpoint.pth")
            shutil.copyfile("checkpoint.pth", "last.pth")


def train(loader, model, criterion, optimizer, epoch):
    losses, top1, clock = AverageMeter(), AverageMeter(), AverageMeter()
    model.train()
    end = time.time()
    for i, (images, target) in enumerate(loader):
        images = images.cuda(non_blocking=True)
        target = target.cuda(non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss, images.size(0))  # check: loss-keeps-graph
        top1.update(accuracy(output, target)[0], images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        clock.update(time.time() - end)
        end = time.time()
        if i % 10 == 0:
            print(f"{epoch} {i} loss {losses.sum / losses.count:.4f} top1 {top1.sum / top1.count:.2f} {clock.val:.3f}s")


if __name__ == "__main__":
    main()
