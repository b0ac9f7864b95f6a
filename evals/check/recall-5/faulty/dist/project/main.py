import argparse
import os
import random

import numpy as np
import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from torchvision import datasets, models, transforms

from .engine import evaluate, train_one_epoch
from .utils import dist as dist_utils


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)  # check: rank-seeds-equal


def build_loaders(args):
    normalize = transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
    train = datasets.ImageFolder(
        os.path.join(args.data, "train"),
        transforms.Compose([transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(), transforms.ToTensor(), normalize]),
    )
    val = datasets.ImageFolder(
        os.path.join(args.data, "val"),
        transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor(), normalize]),
    )
    train_sampler = DistributedSampler(train)
    val_sampler = DistributedSampler(val, shuffle=False)
    return (
        DataLoader(train, args.batch, sampler=train_sampler, num_workers=8, pin_memory=True),
        DataLoader(val, args.batch, sampler=val_sampler, num_workers=8, pin_memory=True),
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=0)  # check: launcher-deprecated
    parser.add_argument("--data", required=True)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=90)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", default=None)
    args = parser.parse_args()
    dist_utils.setup()
    seed_everything(args.seed)
    device = torch.device("cuda", args.local_rank)
    train_loader, val_loader = build_loaders(args)
    model = models.resnet50(weights=None).to(device)
    model = DistributedDataParallel(model, device_ids=[args.local_rank])
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [30, 60, 80])
    best = 0.0
    if args.resume:
        model.load_state_dict(torch.load(args.resume))  # check: map-location-missing; resume-incomplete
    for epoch in range(args.epochs):
        loss = train_one_epoch(model, criterion, optimizer, train_loader, device, epoch, scheduler)  # check: scheduler-before-optimizer (milestones in epochs, stepped every batch)
        accuracy = evaluate(model, val_loader, device)
        if accuracy > best:
            best = accuracy
            torch.save(model.state_dict(), "best.pth")  # check: saved-on-every-rank; state-prefix
        print(epoch, loss, accuracy)


if __name__ == "__main__":
    main()
