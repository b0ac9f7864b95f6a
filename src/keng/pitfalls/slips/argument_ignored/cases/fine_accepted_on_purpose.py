# a choice among several; an argument that is only accepted for compatibility; one that is read before; a constant under another name
import torch
from torch import nn


class Pool(nn.Module):
    def __init__(self, dim=1, keep=False, stride=2, eps=1e-6):
        super().__init__()
        if keep:
            self.dim = 0
        else:
            self.dim = dim
        self.keep = False  # `keep` is ignored: kept for compatibility
        self.step = 1
        self.stride = stride
        if stride > 2:
            self.stride = 2
        self.eps = eps

    def forward(self, x):
        return x.mean(dim=self.dim) + self.eps * self.step


def total(x, dim=None):
    if dim is None:
        return torch.sum(x, dim=0)
    return torch.sum(x, dim)


pooled = Pool(dim=0)(torch.ones(2, 3)) + total(torch.ones(2, 3))
