"""Segmentation of shapes with a Dice loss, after Hsuxu/Loss_ToolBox-PyTorch issue 11."""

import torch
from digest import show
from torch import nn
from torch.nn import functional as F


class BinaryDiceLoss(nn.Module):
    def forward(self, output, target, smooth=1.0):
        output = torch.sigmoid(output)  # run: probabilities-as-logits
        output, target = output.flatten(1), target.flatten(1)
        inter = (output * target).sum(1)
        return 1 - ((2 * inter + smooth) / (output.sum(1) + target.sum(1) + smooth)).mean()


class DiceLoss(nn.Module):
    def forward(self, output, target):
        output = F.softmax(output, dim=1)
        dice = BinaryDiceLoss()
        total = 0.0
        for i in range(target.shape[1]):
            total = total + dice(output[:, i], target[:, i])
        return total / target.shape[1]


def scenes(n, g):
    images, masks = [], []
    for _ in range(n):
        mask = torch.zeros(16, 16, dtype=torch.long)
        top, left = torch.randint(0, 9, (2,), generator=g).tolist()
        mask[top:top + 6, left:left + 6] = 1
        mask[left:left + 3, top:top + 3] = 2
        images.append(mask[None].float() - 1 + 0.4 * torch.randn(1, 16, 16, generator=g))
        masks.append(mask)
    return torch.stack(images), torch.stack(masks)


torch.manual_seed(0)
g = torch.Generator().manual_seed(0)
model = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 3, 1))
criterion = DiceLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(60):
    images, masks = scenes(12, g)
    target = F.one_hot(masks, 3).permute(0, 3, 1, 2).float()
    loss = criterion(model(images), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, f"{loss.item():.4f}")
show(model)
