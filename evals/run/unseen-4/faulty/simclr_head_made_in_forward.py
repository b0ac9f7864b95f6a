"""Contrastive learning: the projection is made at the first batch, after the optimizer was."""

import torch
from digest import show
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def view(self, image):
        image = image.roll(tuple(torch.randint(-1, 2, (2,)).tolist()), (-2, -1))
        return image * (0.8 + 0.4 * torch.rand(())) + 0.05 * torch.randn_like(image)

    def __getitem__(self, index):
        return self.view(self.images[index]), self.view(self.images[index])


class SimCLR(nn.Module):
    def __init__(self, backbone, dim=16):
        super().__init__()
        self.backbone, self.dim, self.projector = backbone, dim, None

    def forward(self, x):
        h = self.backbone(x)
        if self.projector is None:
            self.projector = nn.Sequential(
                nn.Linear(h.shape[1], 32), nn.ReLU(), nn.Linear(32, self.dim)
            )
        return F.normalize(self.projector(h), dim=1)


class NTXentLoss(nn.Module):
    def __init__(self, temperature=0.2):
        super().__init__()
        self.temperature = temperature

    def forward(self, a, b):
        z = torch.cat([a, b])
        scores = z @ z.T / self.temperature
        scores = scores.masked_fill(torch.eye(len(z), dtype=torch.bool), -1e9)
        labels = torch.arange(len(z)).roll(len(a))
        return F.cross_entropy(scores, labels)


def backbone():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, 2, 1), nn.ReLU(), nn.Conv2d(12, 24, 3, 2, 1), nn.ReLU(), nn.Flatten()
    )


torch.manual_seed(0)
images = torch.tensor(load_digits().images, dtype=torch.float32).unsqueeze(1) / 16
loader = DataLoader(TwoViews(images[:960]), 64, shuffle=True, drop_last=True)
model, criterion = SimCLR(backbone()), NTXentLoss()
optimizer = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=1e-4)
for epoch in range(3):
    total = 0.0
    for a, b in loader:
        loss = criterion(model(a), model(b))
        optimizer.zero_grad()
        loss.backward()  # run: parameters-not-optimized
        optimizer.step()  # run: parameters-not-optimized
        total += loss.item()
    print(epoch, f"{total / len(loader):.4f}")
show(model)
