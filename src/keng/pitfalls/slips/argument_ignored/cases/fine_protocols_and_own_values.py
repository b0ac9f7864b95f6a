# a step of a protocol that does not need all it is given; an override; an argument that is passed on changed; one documented as without effect
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def score(self, x, number=None):
        return self.layer(x).sum() * (number or 1)

    def training_step(self, batch, number):
        return self.score(batch)

    def compared(self, x, number=None):
        raise NotImplementedError


class Plain(Base):
    def compared(self, x, number=None):
        return self.score(x)


def filled(size, value=0.0):
    return torch.full((size,), value)


def doubled(size, value=1.0):
    return filled(size, value=2 * value)


def built(size, fast=True):
    """Builds zeros.

    fast (bool): no effect, there is one way only.
    """
    return filled(size)


plain = Plain()
print(plain.training_step(torch.ones(1, 2), 0), plain.compared(torch.ones(1, 2)), doubled(2), built(2))
