# cross attention; one device for both; a divergence in both directions; equal loops without a sibling; sizes that are shared
from types import SimpleNamespace

import torch
from torch import nn


class Cross(nn.Module):
    def __init__(self, width, height):
        super().__init__()
        self.attend = nn.MultiheadAttention(4, 1)
        self.box = SimpleNamespace(width=width, height=height)

    def forward(self, x_a, x_b, mask_a=None, mask_b=None):
        x_a = self.attend(x_a, x_a, x_a)[0]
        x_b = self.attend(x_b, x_a, x_a)[0]
        if mask_a is not None:
            x_a = x_a.masked_fill(mask_a.to(x_a.device), 0)
        if mask_b is not None:
            x_b = x_b.masked_fill(mask_b.to(x_a.device), 0)
        return x_a, x_b


def divergence(first, second, weight=None):
    return (first * (first / second).log()).sum() * (weight or 1.0)


def both_ways(first, second):
    return divergence(first, second) + divergence(second, first)


def losses(D, G, real, noise):
    fake = G(noise)
    loss_D = D(real) - D(fake.detach())
    loss_G = -D(fake)
    return loss_D.mean(), loss_G.mean()


def rounds(items):
    total = 0
    for item in items:
        total += item
    for item in items:
        total += item
    return total


def square(config):
    print(config.height)
    return SimpleNamespace(width=config.width, height=config.width)


def chosen(train_file=None, dev_file=None):
    if dev_file is not None:
        data = [dev_file]
    else:
        data = [train_file]
    if train_file is not None:
        print(train_file)
    return data


net = Cross(2, 3)
out = net(torch.ones(2, 1, 4), torch.ones(2, 1, 4), torch.zeros(1).bool(), torch.zeros(1).bool())
kl = both_ways(torch.tensor([0.5, 0.5]), torch.tensor([0.9, 0.1]))
gan = losses(nn.Linear(2, 1), nn.Linear(2, 2), torch.ones(1, 2), torch.ones(1, 2))
rest = rounds([1, 2]), square(SimpleNamespace(width=1, height=2)), chosen("a", "b")
