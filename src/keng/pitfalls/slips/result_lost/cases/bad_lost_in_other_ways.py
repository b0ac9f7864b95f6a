# a branch without return, an annotation for an assignment, a list that is shuffled in place, a backward that returns nothing
import random

import torch
from torch import nn


def by_market(distances):
    return distances.mean()


def by_camera(distances):
    return distances.max()


def evaluate(distances, camera):
    if camera:
        return by_camera(distances)
    else:
        by_market(distances)  # check: `evaluate` returns None here


class Distance(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = None

    def forward(self, x):
        self.norm: torch.mean(x.norm(dim=1))  # check: `self.norm` is annotated here and gets no value
        return x


rows = list(range(4))
shuffled = random.shuffle(rows)  # check: shuffles in place and returns None
distance = Distance()
distance(torch.ones(2, 3))
loss = nn.Linear(3, 1)(torch.ones(2, 3)).sum()
grads = loss.backward()  # check: `loss.backward` returns nothing

# proof
assert evaluate(torch.ones(2), camera=False) is None
assert distance.norm is None and shuffled is None and grads is None
