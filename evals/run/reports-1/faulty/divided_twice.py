"""Depth of small pictures, after anishmadan23/deep3d-pytorch issue 1."""

import numpy as np
import torch
from digest import show
from torch import nn
from torch.utils.data import DataLoader, Dataset


def to_tensor(picture):
    """Do what torchvision's ToTensor does with arrays."""
    tensor = torch.from_numpy(picture.transpose(2, 0, 1).copy())
    return tensor.float() / 255 if tensor.dtype == torch.uint8 else tensor


class Pictures(Dataset):
    def __init__(self, n=320):
        rng = np.random.default_rng(0)
        self.pictures = rng.integers(0, 256, (n, 12, 12, 3), dtype=np.uint8)
        self.depths = self.pictures.astype(np.float32).mean((1, 2, 3)) / 255

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, i):
        picture = to_tensor(self.pictures[i]) / 255.0  # run: image-scale-unexpected
        return picture, torch.tensor(self.depths[i])


torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 12, 3), nn.ReLU(), nn.Conv2d(12, 12, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
loader = DataLoader(Pictures(), batch_size=16, shuffle=True)
for epoch in range(4):
    for pictures, depths in loader:
        loss = nn.functional.l1_loss(model(pictures).squeeze(1), depths)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.5f}")
show(model)
