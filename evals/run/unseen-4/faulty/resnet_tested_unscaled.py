"""A residual net under bfloat16: the transform of the test set forgets to divide by the largest value."""

import argparse

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Compose:
    def __init__(self, *transforms):
        self.transforms = transforms

    def __call__(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x


class ToTensor:
    def __init__(self, largest=16.0):
        self.largest = largest

    def __call__(self, image):
        return torch.from_numpy(image).float().unsqueeze(0) / self.largest


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, x):
        return (x - self.mean) / self.std


class Shift:
    def __call__(self, x):
        return x.roll(int(torch.randint(-1, 2, ())), -1)


class Digits(Dataset):
    def __init__(self, train, transform):
        digits = load_digits()
        part = slice(0, 1200) if train else slice(1200, None)
        self.images, self.labels, self.transform = (
            digits.images[part],
            digits.target[part],
            transform,
        )

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.transform(self.images[index]), int(self.labels[index])


class BasicBlock(nn.Module):
    def __init__(self, inplanes, planes, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(
                nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes)
            )

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU()
        )
        self.layers = nn.Sequential(BasicBlock(16, 16), BasicBlock(16, 32, 2))
        self.fc = nn.Linear(32, classes)

    def forward(self, x):
        return self.fc(self.layers(self.stem(x)).mean((2, 3)))


def train_one_epoch(model, criterion, optimizer, loader):
    model.train()
    for images, target in loader:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = criterion(model(images), target)
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    right = 0
    for images, target in loader:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output = model(images)  # run: evaluation-input-scale-differs
        right += (output.argmax(1) == target).sum().item()
    return right / len(loader.dataset)


def main(args):
    torch.manual_seed(args.seed)
    normal = Normalize(0.31, 0.38)
    train = DataLoader(
        Digits(True, Compose(ToTensor(), Shift(), normal)),
        args.batch_size,
        shuffle=True,
        drop_last=True,
    )
    test = DataLoader(  # run: evaluation-input-scale-differs
        Digits(False, Compose(ToTensor(1.0), normal)), 128
    )
    model = ResNet()
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    for epoch in range(args.epochs):
        train_one_epoch(model, nn.CrossEntropyLoss(label_smoothing=0.1), optimizer, train)
        scheduler.step()
        print(epoch, f"{evaluate(model, test):.3f}")
    show(model)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args())
