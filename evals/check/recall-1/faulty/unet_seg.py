import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Cells(Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        img = torch.rand(3, 64, 64, generator=g)
        return img, (img.mean(0, keepdim=True) > 0.5).float()


def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),  # check: bias-before-batchnorm
        nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.d1, self.d2 = double_conv(3, 16), double_conv(16, 32)
        self.u1 = double_conv(48, 16)
        self.out = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        up = F.interpolate(b, scale_factor=2, mode='bilinear', align_corners=False)
        return torch.sigmoid(self.out(self.u1(torch.cat([a, up], 1))))


def dice_loss(p, t):
    inter = (p * t).sum()
    return 1 - 2 * inter / (p.sum() + t.sum() + 1e-6)


def validate(model, loader):
    model.eval()
    score = 0
    for x, y in loader:
        score += 1 - dice_loss(model(x), y)  # check: validation-records-gradients or loss-keeps-graph
    model.train()
    return score / len(loader)


def train():
    net = UNet()
    optim = torch.optim.Adam(net.parameters(), 1e-3)
    bce = nn.BCEWithLogitsLoss()
    loader = DataLoader(Cells(), 4, shuffle=True)
    for ep in range(2):
        for x, y in loader:
            p = net(x)
            loss = bce(p, y) + dice_loss(p, y)  # check: bce-wants-probabilities
            optim.zero_grad(); loss.backward(); optim.step()
        print(ep, validate(net, loader))


train()
