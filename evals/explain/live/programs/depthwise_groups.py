import torch
from torch import nn

settings = dict(stem=24, width=64)
cardinality = 16


class Bottleneck(nn.Module):
    def __init__(self, cin, cout, groups):
        super().__init__()
        self.mix = nn.Conv2d(cin, cout, 3, padding=1, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(cout)

    def forward(self, x):
        return torch.relu(self.norm(self.mix(x)))


def build(stem, width):
    layers = [nn.Conv2d(3, stem, 7, stride=2, padding=3)]
    layers.append(Bottleneck(stem, width, cardinality))
    layers.append(nn.AdaptiveAvgPool2d(1))
    return nn.Sequential(*layers)


print(build(**settings)(torch.rand(1, 3, 64, 64)).shape)
