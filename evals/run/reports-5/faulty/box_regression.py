"""Locates one blob in each image, after https://github.com/Nota-NetsPresso/netspresso-trainer/issues/196."""

import random

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

SIZE, EPOCHS = 32, 9
random.seed(11)
torch.manual_seed(11)


def draw(count, seed):
    generator = torch.Generator().manual_seed(seed)
    images = 0.25 * torch.randn(count, 1, SIZE, SIZE, generator=generator)
    boxes = torch.zeros(count, 4)
    for i in range(count):
        w, h = torch.randint(6, 15, (2,), generator=generator).tolist()
        x = torch.randint(0, SIZE - w, (1,), generator=generator).item()
        y = torch.randint(0, SIZE - h, (1,), generator=generator).item()
        images[i, 0, y : y + h, x : x + w] += 0.9
        boxes[i] = torch.tensor([x, y, x + w, y + h])
    return images, boxes


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, image, box):
        for step in self.steps:
            image, box = step(image, box)
        return image, box


class RandomHorizontalFlip:
    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, image, box):
        if random.random() < self.p:
            width = image.shape[-1]
            image = image.flip(-1)
            box = box.clone()
            box[0::2] = width - box[0::2]  # any: -
        return image, box


class RandomGain:
    def __call__(self, image, box):
        return image * random.uniform(0.8, 1.25), box


class Blobs(Dataset):
    def __init__(self, count, seed, transform=None):
        self.images, self.boxes = draw(count, seed)
        self.transform = transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image, box = self.images[i], self.boxes[i]
        if self.transform is not None:
            image, box = self.transform(image, box)
        return image, box / SIZE


class Locator(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        layers, channels = [], 1
        for i in range(3):
            layers += [nn.Conv2d(channels, width * 2**i, 3, padding=1), nn.BatchNorm2d(width * 2**i), nn.ReLU(), nn.MaxPool2d(2)]
            channels = width * 2**i
        self.body = nn.Sequential(*layers)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(channels * 16, 64), nn.ReLU(), nn.Linear(64, 4))

    def forward(self, x):
        return self.head(self.body(x)).sigmoid()


def iou(a, b):
    low, high = torch.maximum(a[:, :2], b[:, :2]), torch.minimum(a[:, 2:], b[:, 2:])
    both = (high - low).clamp(min=0).prod(1)
    areas = (a[:, 2:] - a[:, :2]).clamp(min=0).prod(1) + (b[:, 2:] - b[:, :2]).clamp(min=0).prod(1)
    return both / (areas - both).clamp(min=1e-6)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    scores = torch.cat([iou(model(x), box) for x, box in loader])
    model.train()
    return scores.mean().item(), (scores > 0.5).float().mean().item()


train_loader = DataLoader(Blobs(640, 1, Compose(RandomHorizontalFlip(), RandomGain())), batch_size=32, shuffle=True)
valid_loader = DataLoader(Blobs(256, 2), batch_size=128)
model = Locator()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=EPOCHS * len(train_loader))
for epoch in range(EPOCHS):
    total = 0.0
    for images, boxes in train_loader:
        loss = F.smooth_l1_loss(model(images), boxes, beta=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} loss {total / len(train_loader):.4f} valid IoU {evaluate(model, valid_loader)[0]:.4f}")
mean, share = evaluate(model, valid_loader)
print(f"mean IoU {mean:.4f} found {share:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
