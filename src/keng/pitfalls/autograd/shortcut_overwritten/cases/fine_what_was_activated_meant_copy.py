# the activated input is meant; a copy; another tensor is activated; a sum that is clipped at zero like the next block's input; no sum of both
import torch
import torch.nn.functional as F
from torch import nn


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.act, self.conv, self.norm = (
            nn.ReLU(inplace=True),
            nn.Conv2d(4, 4, 1),
            nn.BatchNorm2d(4),
        )

    def activated_first(self, x):
        x = self.act(x)
        identity = x
        return self.conv(x) + identity

    def copied(self, x):
        identity = x.clone()
        return self.conv(self.act(x)) + identity

    def classic(self, x):
        identity = x
        out = self.norm(self.conv(x))
        out = self.act(out)
        out = self.conv(out)
        out += identity
        return self.act(out)

    def published(self, x):
        out = self.act(self.norm(x))
        return self.conv(out) + x

    def already_cut(self, x):
        identity = x
        out = self.conv(self.act(x))
        return F.relu(out + identity)

    def changed_on_purpose(self, x):
        out = self.conv(x)
        F.relu_(out)
        return self.norm(out) + out

    def unrelated(self, x, y):
        out = self.act(x)
        return out, x + y

    def forward(self, x):
        return self.published(self.classic(self.copied(self.activated_first(self.conv(x)))))


torch.manual_seed(0)
Blocks()(torch.randn(2, 4, 8, 8)).mean().backward()
