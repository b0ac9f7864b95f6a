"""Segmentation in crops: some hold no labelled pixel at all, and the mean over none is no number."""

import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, Dataset

VOID = 255


class Scenes(Dataset):
    """Bright discs on a dark ground; the border of each scene is not labelled."""

    def __init__(self, count, size=48, crop=12):
        made = torch.Generator().manual_seed(4)
        at = torch.rand(count, 2, generator=made) * size / 3 + size / 3
        y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
        far = ((y - at[:, :1, None]) ** 2 + (x - at[:, 1:, None]) ** 2).sqrt()
        self.masks = (far < 7).long()
        self.images = self.masks + 0.3 * torch.randn(count, size, size, generator=made)
        edge = far > 10
        self.masks[edge] = VOID
        self.size, self.crop = size, crop

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        top, left = torch.randint(0, self.size - self.crop, (2,)).tolist()
        part = (index, slice(top, top + self.crop), slice(left, left + self.crop))
        return self.images[part].unsqueeze(0), self.masks[part]


class TinyUNet(nn.Module):
    def __init__(self, classes=2, wide=8):
        super().__init__()
        self.down1 = self.double(1, wide)
        self.down2 = self.double(wide, 2 * wide)
        self.up = nn.ConvTranspose2d(2 * wide, wide, 2, 2)
        self.merge = self.double(2 * wide, wide)
        self.head = nn.Conv2d(wide, classes, 1)

    @staticmethod
    def double(inside, outside):
        return nn.Sequential(
            nn.Conv2d(inside, outside, 3, 1, 1),
            nn.ReLU(),
            nn.Conv2d(outside, outside, 3, 1, 1),
            nn.ReLU(),
        )

    def forward(self, x):
        skip = self.down1(x)
        low = self.down2(nn.functional.max_pool2d(skip, 2))
        return self.head(self.merge(torch.cat([skip, self.up(low)], 1)))


torch.manual_seed(0)
loader = DataLoader(Scenes(120), batch_size=2, shuffle=True)
model = TinyUNet()
criterion = nn.CrossEntropyLoss(ignore_index=VOID)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    right = known = 0
    for image, mask in loader:
        out = model(image)
        loss = criterion(out, mask)  # run: nan-loss or cross-entropy-target
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += (out.argmax(1) == mask).sum().item()
        known += (mask != VOID).sum().item()
    print(epoch, f"{right / known:.3f}")
show(model)
