import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from trainers import ClassifierTrainer


class SmallNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
        )
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(64, classes)

    def forward(self, x):
        x = self.drop(self.features(x).flatten(1))
        return self.head(x).softmax(dim=1)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--out", default="runs")
    return vars(parser.parse_args())


def main():
    cfg = parse()
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.5] * 3)])
    train = datasets.CIFAR10("data", train=True, transform=transform, download=True)
    val = datasets.CIFAR10("data", train=False, transform=transform)
    model = SmallNet(10)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg["epochs"])
    trainer = ClassifierTrainer(model, optimizer, scheduler, cfg)
    trainer.fit(
        DataLoader(train, batch_size=128, shuffle=True, num_workers=4, pin_memory=True),
        DataLoader(val, batch_size=256, num_workers=4),
    )


if __name__ == "__main__":
    main()
