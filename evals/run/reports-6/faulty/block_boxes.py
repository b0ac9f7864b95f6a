"""A one-stage detector on a grid with one prior, after https://github.com/ultralytics/yolov3/issues/202."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

SIZE, GRID, CLASSES, PRIOR, EPOCHS = 32, 4, 3, 9.0, 10
CELL = SIZE // GRID
torch.manual_seed(5)


def scene(generator):
    """One to three blocks, each in a cell of its own: plain, with rows, or with columns."""
    image = 0.25 * torch.randn(SIZE, SIZE, generator=generator)
    target = torch.zeros(GRID, GRID, 6)
    count = int(torch.randint(1, 4, (1,), generator=generator))
    for cell in torch.randperm(GRID * GRID, generator=generator)[:count].tolist():
        row, column = divmod(cell, GRID)
        offset = 0.1 + 0.8 * torch.rand(2, generator=generator)
        size = 5 + 10 * torch.rand(2, generator=generator)
        kind = int(torch.randint(CLASSES, (1,), generator=generator))
        x, y = (column + offset[0].item()) * CELL, (row + offset[1].item()) * CELL
        ys, xs = torch.meshgrid(torch.arange(SIZE) + 0.5, torch.arange(SIZE) + 0.5, indexing="ij")
        inside = ((xs - x).abs() < size[0] / 2) & ((ys - y).abs() < size[1] / 2)
        paint = [torch.ones(SIZE, SIZE), (ys // 2 % 2) * 2, (xs // 2 % 2) * 2][kind]
        image = torch.where(inside, paint, image)
        target[row, column] = torch.tensor([offset[0], offset[1], size[0], size[1], 1.0, kind])
    return image[None], target


def make(count, seed):
    generator = torch.Generator().manual_seed(seed)
    images, targets = zip(*[scene(generator) for _ in range(count)])
    return TensorDataset(torch.stack(images), torch.stack(targets))


class Detector(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        layers, inside = [], 1
        for outside in (width, 2 * width, 2 * width):
            layers += [nn.Conv2d(inside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU(), nn.MaxPool2d(2)]
            inside = outside
        self.body = nn.Sequential(*layers, nn.Conv2d(inside, 48, 3, padding=1), nn.ReLU())
        self.head = nn.Conv2d(48, 5 + CLASSES, 1)

    def forward(self, images):
        return self.head(self.body(images)).permute(0, 2, 3, 1)


def detection_loss(raw, target):
    there = target[..., 4] > 0
    xy, wh = raw[..., :4].sigmoid().split(2, -1)  # any: targets-out-of-reach
    place = F.mse_loss(xy[there], target[there][:, :2])
    shape = F.mse_loss(wh[there], (target[there][:, 2:4] / PRIOR).log())
    known = F.binary_cross_entropy_with_logits(raw[..., 4], target[..., 4])
    kind = F.cross_entropy(raw[there][:, 5:], target[there][:, 5].long())
    return 4 * place + 4 * shape + 4 * known + kind


def corners(xy, wh):
    ys, xs = torch.meshgrid(torch.arange(GRID), torch.arange(GRID), indexing="ij")
    center = (xy + torch.stack([xs, ys], -1)) * CELL
    return torch.cat([center - wh / 2, center + wh / 2], -1)


def overlap(a, b):
    inner = (torch.minimum(a[..., 2:], b[..., 2:]) - torch.maximum(a[..., :2], b[..., :2])).clamp(min=0).prod(-1)
    return inner / ((a[..., 2:] - a[..., :2]).prod(-1) + (b[..., 2:] - b[..., :2]).prod(-1) - inner)


@torch.no_grad()
def evaluate(model, loader):
    """Mean IoU where an object is, and F1 of found boxes with the right class and an IoU of half or more."""
    model.eval()
    total = hits = found = wanted = 0.0
    for images, target in loader:
        raw = model(images)
        boxes = corners(raw[..., :2].sigmoid(), PRIOR * raw[..., 2:4].exp())
        truth = corners(target[..., :2], target[..., 2:4])
        there, kept = target[..., 4] > 0, raw[..., 4] > 0
        iou = overlap(boxes, truth)
        right = there & kept & (iou >= 0.5) & (raw[..., 5:].argmax(-1) == target[..., 5])
        total += iou[there].sum().item()
        hits, found, wanted = hits + right.sum().item(), found + kept.sum().item(), wanted + there.sum().item()
    model.train()
    return total / wanted, 2 * hits / (found + wanted)


train_loader = DataLoader(make(400, 1), batch_size=20, shuffle=True)
valid_loader = DataLoader(make(120, 2), batch_size=40)
model = Detector()
optimizer = torch.optim.Adam(model.parameters(), lr=6e-3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
for epoch in range(EPOCHS):
    total = 0.0
    for images, target in train_loader:
        loss = detection_loss(model(images), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    schedule.step()
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1} loss {total / len(train_loader):.4f} valid IoU {evaluate(model, valid_loader)[0]:.4f}")
iou, f1 = evaluate(model, valid_loader)
print(f"valid IoU {iou:.4f} F1 {f1:.4f}")
print(f"checksum {sum(p.double().sum() for p in model.parameters()).item():.6f}")
