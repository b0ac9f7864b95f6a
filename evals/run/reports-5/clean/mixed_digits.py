"""Digits with mixup and soft labels, after https://github.com/xudonmao/VMT/issues/1."""

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

SEED, CLASSES, EPOCHS, ALPHA = 5, 10, 60, 1.0
torch.manual_seed(SEED)
rng = np.random.default_rng(SEED)


def load(size=240):
    images, labels = load_digits(return_X_y=True)
    parts = train_test_split(images / 16.0, labels, train_size=size, random_state=SEED, stratify=labels)
    train_x, test_x, train_y, test_y = parts
    sets = []
    for x, y in ((train_x, train_y), (test_x, test_y)):
        x = torch.tensor(x, dtype=torch.float32).view(-1, 1, 8, 8)
        sets.append(TensorDataset(x, torch.tensor(y)))
    return sets


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.fc1 = nn.Linear(2 * width * 4, 64)
        self.fc2 = nn.Linear(64, CLASSES)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


class Mixup:
    """Blends the images of a batch and their one-hot labels."""

    def __init__(self, alpha=ALPHA):
        self.alpha = alpha

    def weight(self):
        return float(rng.beta(self.alpha, self.alpha))

    def __call__(self, images, labels):
        targets = F.one_hot(labels, CLASSES).float()
        weight = self.weight()
        order = torch.randperm(len(images))
        images = weight * images + (1 - weight) * images[order]
        targets = weight * targets + (1 - weight) * targets[order]
        return images, targets


def soft_cross_entropy(logits, targets):
    return -(targets * F.log_softmax(logits, 1)).sum(1).mean()


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    right, nll, count = 0, 0.0, 0
    for images, labels in DataLoader(data, batch_size=256):
        logits = model(images)
        right += (logits.argmax(1) == labels).sum().item()
        nll += F.cross_entropy(logits, labels, reduction="sum").item()
        count += len(labels)
    model.train()
    return right / count, nll / count


def train(model, data, valid, mix):
    loader = DataLoader(data, batch_size=40, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    for epoch in range(EPOCHS):
        total = 0.0
        for images, labels in loader:
            images, targets = mix(images, labels)
            loss = soft_cross_entropy(model(images), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        schedule.step()
        if epoch % 15 == 14:
            accuracy, nll = evaluate(model, valid)
            print(f"epoch {epoch + 1} loss {total / len(loader):.4f} accuracy {accuracy:.4f} nll {nll:.4f}")


train_set, test_set = load()
net = Net()
train(net, train_set, test_set, Mixup())
accuracy, nll = evaluate(net, test_set)
print(f"test accuracy {accuracy:.4f} nll {nll:.4f}")
print(f"checksum {sum(p.double().sum() for p in net.parameters()).item():.6f}")
