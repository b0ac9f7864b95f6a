"""A segmentation net on reduced images, after https://github.com/divamgupta/image-segmentation-keras/issues/11."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

RAW, SIZE, CLASSES, EPOCHS = 42, 24, 4, 10
torch.manual_seed(8)


def scene(generator):
    """Background 0, ground 1, bushes 2 and signs 3."""
    grid = torch.stack(torch.meshgrid(torch.arange(RAW), torch.arange(RAW), indexing="ij")).float()
    labels = torch.zeros(RAW, RAW, dtype=torch.uint8)
    horizon = torch.randint(RAW // 2, RAW - 8, (1,), generator=generator).item()
    labels[horizon:] = 1
    for label in (2, 3):
        for _ in range(2):
            center = torch.rand(2, 1, 1, generator=generator) * RAW
            radius = 3 + 4 * torch.rand(1, generator=generator)
            distance = (grid - center).abs()
            inside = distance.square().sum(0).sqrt() < radius if label == 2 else distance.amax(0) < radius
            labels[inside] = label
    tint = torch.tensor([[0.1, 0.2, 0.9], [0.5, 0.4, 0.2], [0.1, 0.7, 0.2], [0.9, 0.1, 0.1]])
    image = tint[labels.long()].permute(2, 0, 1)
    return image + 0.35 * torch.randn(3, RAW, RAW, generator=generator), labels


class Scenes(Dataset):
    def __init__(self, count, seed, train):
        generator = torch.Generator().manual_seed(seed)
        self.items = [scene(generator) for _ in range(count)]
        self.train = train

    def __len__(self):
        return len(self.items)

    def get_image(self, image):
        return F.interpolate(image[None], size=(SIZE, SIZE), mode="bilinear", antialias=True)[0]

    def get_labels(self, labels):
        labels = F.interpolate(labels[None, None].float(), size=(SIZE, SIZE), mode="bilinear")  # any: labels-interpolated
        return labels[0, 0].long()

    def __getitem__(self, i):
        image, labels = self.items[i]
        if not self.train:
            return self.get_image(image), labels.long()
        return self.get_image(image), self.get_labels(labels)


class Block(nn.Sequential):
    def __init__(self, inside, outside):
        super().__init__(nn.Conv2d(inside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU())


class Net(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.enter = nn.Sequential(Block(3, width), Block(width, width))
        self.deep = nn.Sequential(Block(width, 2 * width), Block(2 * width, 2 * width))
        self.leave = nn.Sequential(Block(3 * width, width), nn.Conv2d(width, CLASSES, 1))

    def forward(self, x):
        high = self.enter(x)
        low = self.deep(F.max_pool2d(high, 2))
        low = F.interpolate(low, scale_factor=2, mode="nearest")
        return self.leave(torch.cat([high, low], 1))


@torch.no_grad()
def evaluate(model, loader):
    """Scores at the size of the original images."""
    model.eval()
    matrix = torch.zeros(CLASSES, CLASSES, dtype=torch.long)
    for images, labels in loader:
        logits = F.interpolate(model(images), size=labels.shape[-2:], mode="bilinear")
        index = labels.flatten() * CLASSES + logits.argmax(1).flatten()
        matrix += torch.bincount(index, minlength=CLASSES**2).view(CLASSES, CLASSES)
    model.train()
    hits = matrix.diag().double()
    return hits / (matrix.sum(0) + matrix.sum(1) - hits), (hits.sum() / matrix.sum()).item()


train_loader = DataLoader(Scenes(240, 1, True), batch_size=12, shuffle=True)
valid_loader = DataLoader(Scenes(80, 2, False), batch_size=40)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
for epoch in range(EPOCHS):
    total = 0.0
    for images, labels in train_loader:
        loss = F.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    schedule.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {total / len(train_loader):.4f} valid mIoU {evaluate(model, valid_loader)[0].mean():.4f}")
per_class, accuracy = evaluate(model, valid_loader)
print(f"mIoU {per_class.mean():.4f} accuracy {accuracy:.4f} of each class " + " ".join(f"{v:.3f}" for v in per_class))
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
