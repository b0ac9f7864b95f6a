"""Masks of bytes whose label 0 goes round to 255 on purpose, the number that the loss ignores."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, Dataset

IGNORE = 255


class ADELike(Dataset):
    """Label 0 is "other"; the classes are 1 to 4."""

    def __init__(self, count=160, size=16):
        self.size = size
        self.masks = torch.zeros(count, size, size, dtype=torch.uint8)
        for mask in self.masks:
            for label in torch.randperm(4)[:3] + 1:
                top, left = torch.randint(0, size - 7, (2,)).tolist()
                mask[top : top + 7, left : left + 7] = label

    def __len__(self):
        return len(self.masks)

    def __getitem__(self, index):
        mask = self.masks[index]
        image = torch.stack([mask / 4, (mask.float() * 1.7).sin()]) + 0.1 * torch.randn(
            2, *mask.shape
        )
        mask = mask - 1  # 0 becomes 255
        if torch.rand(()) < 0.5:
            image, mask = image.flip(-1), mask.flip(-1)
        return image, mask.long()


class Net(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(2, 16, 3, 1, 1),
            nn.GroupNorm(4, 16),
            nn.ReLU(),
            nn.Conv2d(16, 16, 3, 1, 2, 2),
            nn.ReLU(),
        )
        self.main, self.aux = nn.Conv2d(16, classes, 1), nn.Conv2d(16, classes, 1)

    def forward(self, x):
        h = self.features(x)
        return (self.main(h), self.aux(h)) if self.training else self.main(h)


def iou(confusion):
    hit = confusion.diag()
    return (hit / (confusion.sum(0) + confusion.sum(1) - hit).clamp(min=1)).mean().item()


torch.manual_seed(0)
train = DataLoader(ADELike(), batch_size=8, shuffle=True)
val = DataLoader(ADELike(40), batch_size=20)
net = Net()
criterion = nn.CrossEntropyLoss(ignore_index=IGNORE, weight=torch.tensor([1.0, 1.2, 1.2, 0.8]))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=3 * len(train), power=0.9)
for epoch in range(3):
    net.train()
    for image, mask in train:
        main, aux = net(image)
        loss = criterion(main, mask) + 0.4 * criterion(aux, mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    net.eval()
    confusion = torch.zeros(4, 4)
    with torch.no_grad():
        for image, mask in val:
            known = mask != IGNORE
            pairs = mask[known] * 4 + net(image).argmax(1)[known]
            confusion += torch.bincount(pairs, minlength=16).view(4, 4)
    print(epoch, f"{iou(confusion):.3f}")
show(net)
