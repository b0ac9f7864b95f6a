"""Land cover of each pixel of satellite tiles, after https://github.com/XiaLiPKU/EMANet/issues/7."""

from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

CLASSES, SIDE, EPOCHS = 4, 16, 8
torch.manual_seed(22)
settings = SimpleNamespace(
    MEAN=torch.tensor([0.45, 0.41, 0.62, 0.30])[:, None, None], STD=torch.tensor([0.040, 0.035, 0.060, 0.025])[:, None, None]
)
COVER = torch.randn(CLASSES, 4, generator=torch.Generator().manual_seed(5))


def tiles(count, seed):
    """Tiles of a few fields, each with its cover, seen in four bands with noise."""
    generator = torch.Generator().manual_seed(seed)
    where = torch.stack(torch.meshgrid(torch.arange(SIDE), torch.arange(SIDE), indexing="ij"), -1).float().view(-1, 2)
    images, labels = [], []
    for _ in range(count):
        centres = SIDE * torch.rand(5, 2, generator=generator)
        covers = torch.randint(CLASSES, (5,), generator=generator)
        label = covers[torch.cdist(where, centres).argmin(1)].view(SIDE, SIDE)
        bands = 0.6 * COVER[label].permute(2, 0, 1) + 0.9 * torch.randn(4, SIDE, SIDE, generator=generator)
        images.append(settings.MEAN + settings.STD * bands)
        labels.append(label)
    return torch.stack(images), torch.stack(labels)


class Tiles(Dataset):
    def __init__(self, count, seed, flip):
        self.images, self.labels = tiles(count, seed)
        self.flip = flip

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image, label = self.images[index], self.labels[index]
        image = (image - settings.MEAN) / settings.MEAN  # any: -
        if self.flip and torch.rand(()) < 0.5:
            image, label = image.flip(-1), label.flip(-1)
        return image, label


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(4, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=2, dilation=2), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
        )  # fmt: skip
        self.head = nn.Conv2d(width, CLASSES, 1)

    def forward(self, image):
        return self.head(self.body(image))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    table = torch.zeros(CLASSES, CLASSES)
    for image, label in loader:
        guess = model(image).argmax(1)
        table += torch.bincount((CLASSES * label + guess).flatten(), minlength=CLASSES**2).view(CLASSES, CLASSES)
    model.train()
    both = table.diag()
    return (both / (table.sum(0) + table.sum(1) - both)).mean().item(), (both.sum() / table.sum()).item()


train_loader = DataLoader(Tiles(160, 1, True), batch_size=16, shuffle=True)
test_loader = DataLoader(Tiles(80, 2, False), batch_size=40)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.PolynomialLR(optimizer, EPOCHS * len(train_loader), power=0.9)
for epoch in range(EPOCHS):
    total = 0.0
    for image, label in train_loader:
        loss = F.cross_entropy(model(image), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item()
    if epoch % 2 == 1:
        print(f"epoch {epoch + 1} loss {total / len(train_loader):.4f}")
iou, accuracy = evaluate(model, test_loader)
print(f"test mIoU {iou:.4f} accuracy {accuracy:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
