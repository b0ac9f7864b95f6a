import torch
from torch import nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc1 = block(3, 64)
        self.enc2 = block(64, 128)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(128, 64, 2, stride=2)
        self.dec1 = block(96, 32)
        self.head = nn.Conv2d(32, 1, 1)

    def forward(self, x):
        skip = self.enc1(x)
        x = self.enc2(self.pool(skip))
        x = self.up(x)
        x = torch.cat([skip, x], dim=1)
        return self.head(self.dec1(x))


net = UNet()
masks = net(torch.rand(2, 3, 64, 64))
print(masks.shape)
