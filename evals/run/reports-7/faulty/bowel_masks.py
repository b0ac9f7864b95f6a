"""Masks of growths in small images, after https://github.com/huyquoctrinh/MetaPolyp-CBMS2023/issues/11."""

from itertools import islice

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

SIDE, EPOCHS = 24, 8
torch.manual_seed(30)


class Growths(Dataset):
    """Images with a round growth that is a bit brighter than what is around it, sometimes hardly."""

    def __init__(self, count, seed):
        generator = torch.Generator().manual_seed(seed)
        y, x = torch.meshgrid(torch.arange(SIDE), torch.arange(SIDE), indexing="ij")
        centre = SIDE * (0.2 + 0.6 * torch.rand(count, 2, 1, 1, generator=generator))
        axes = 2.5 + 4.5 * torch.rand(count, 2, 1, 1, generator=generator)
        inside = ((y - centre[:, 0]) / axes[:, 0]) ** 2 + ((x - centre[:, 1]) / axes[:, 1]) ** 2 < 1
        level = torch.rand(count, 1, 1, generator=generator)
        slope = 0.05 * torch.randn(count, 2, 1, 1, generator=generator)
        light = level + (slope * torch.stack([y, x])).sum(1)
        strength = 0.3 + 1.5 * torch.rand(count, 1, 1, generator=generator)
        noise = 0.5 * torch.randn(count, SIDE, SIDE, generator=generator)
        self.images = (light + strength * inside + noise)[:, None]
        self.masks = inside[:, None].float()

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.masks[index]


class Net(nn.Module):
    """One level down and up again."""

    def __init__(self, width=12):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU())
        self.down = nn.Sequential(
            nn.MaxPool2d(2), nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, padding=2, dilation=2), nn.ReLU(),
        )  # fmt: skip
        self.last = nn.Conv2d(3 * width, 1, 3, padding=1)

    def forward(self, image):
        fine = self.first(image)
        return self.last(torch.cat([fine, F.interpolate(self.down(fine), scale_factor=2)], 1))


def dice(probability, mask):
    both = (probability * mask).sum((1, 2, 3))
    return (2 * both + 1) / (probability.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)


def criterion(logits, mask):
    return F.binary_cross_entropy_with_logits(logits, mask) + 1 - dice(logits.sigmoid(), mask).mean()


@torch.no_grad()
def evaluate(model, loader, steps):
    """Mean dice and IoU of the first steps batches, and how many images these are."""
    model.eval()
    total = union = count = 0.0
    for image, mask in islice(loader, steps):
        guess = (model(image) > 0).float()
        both = (guess * mask).sum((1, 2, 3))
        total += dice(guess, mask).sum().item()
        union += ((both + 1) / ((guess + mask).clamp(max=1).sum((1, 2, 3)) + 1)).sum().item()
        count += len(image)
    model.train()
    return total / count, union / count, int(count)


def benchmark(model, dataset, batch_size=32):  # any: -
    loader = DataLoader(dataset, batch_size=1, shuffle=True)
    return evaluate(model, loader, len(dataset) // batch_size)


train_set, valid_set, test_set = Growths(200, 1), Growths(64, 2), Growths(160, 3)
train_loader = DataLoader(train_set, batch_size=20, shuffle=True)
valid_loader = DataLoader(valid_set, batch_size=32)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(EPOCHS):
    total = 0.0
    for image, mask in train_loader:
        loss = criterion(model(image), mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 2 == 1:
        score, _, _ = evaluate(model, valid_loader, len(valid_loader))
        print(f"epoch {epoch + 1} loss {total / len(train_loader):.4f} valid dice {score:.4f}")
score, union, count = benchmark(model, test_set)
print(f"test dice {score:.4f} IoU {union:.4f} of {count} images")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
