import argparse
import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torchvision
import torchvision.transforms as transforms
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def setup(seed=0):
    dist.init_process_group(backend="nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.manual_seed(seed)  # check: rank-seeds-equal


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25)
        )
        self.classifier = nn.Linear(32 * 16 * 16, 10)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))

    def embed(self, x):
        return self.features(x).flatten(1)


def evaluate(model, loader, device):
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            correct += (model(images).argmax(1) == labels).sum().item()
            total += labels.size(0)
    acc = torch.tensor([correct, total], dtype=torch.float64, device=device)
    if dist.get_rank() == 0:
        dist.all_reduce(acc)  # check: collective-on-one-rank
    return (acc[0] / acc[1]).item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch_size", type=int, default=128)
    parser.add_argument("--resume", default="")
    args = parser.parse_args()
    setup()
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)

    transform = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    trainset = torchvision.datasets.CIFAR10("data", train=True, download=True, transform=transform)
    testset = torchvision.datasets.CIFAR10("data", train=False, transform=transforms.ToTensor())
    train_sampler = DistributedSampler(trainset)
    test_sampler = DistributedSampler(testset, shuffle=False)
    train_loader = DataLoader(trainset, batch_size=args.batch_size, sampler=train_sampler, num_workers=4)
    test_loader = DataLoader(testset, batch_size=100, sampler=test_sampler)  # check: metrics-over-padding

    model = DDP(Net().to(device), device_ids=[local_rank])
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[5, 8])
    start_epoch = 0
    if args.resume:
        checkpoint = torch.load(args.resume)  # check: map-location-missing
        model.module.load_state_dict(checkpoint["model"])  # check: resume-incomplete
        start_epoch = checkpoint["epoch"] + 1

    for epoch in range(start_epoch, args.epochs):  # check: sampler-epoch-not-set
        model.train()
        for images, labels in train_loader:
            images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)  # check: non-blocking-without-pinning
            outputs = model.module(images)  # check: trained-past-wrapper
            loss = criterion(outputs, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        acc = evaluate(model, test_loader, device)
        if local_rank == 0:
            print(f"epoch {epoch}: accuracy {acc:.4f}")
        torch.save({"model": model.module.state_dict(), "epoch": epoch}, "last.pt")  # check: saved-on-every-rank

    bank = torch.cat([model.embed(x.to(device)).cpu() for x, _ in test_loader])  # check: wrapped-module-attribute
    print(bank.shape)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
