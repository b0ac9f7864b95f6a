# weights transposed before the product; heads; weights divided by their sum; soft assignments
import torch
from torch import nn
from torch.nn import functional as F


class Slots(nn.Module):
    """Each key chooses a slot; the weights of a slot are divided by their sum."""

    def forward(self, slots, x):
        weights = (slots @ x.transpose(1, 2)).softmax(dim=1)
        weights = weights / weights.sum(-1, keepdim=True)
        return weights @ x


class Clusters(nn.Module):
    """Points are assigned to clusters, whose features are sums."""

    def __init__(self, width, clusters):
        super().__init__()
        self.assign = nn.Linear(width, clusters)

    def forward(self, x):
        chosen = self.assign(x).softmax(dim=-1)
        return chosen.transpose(1, 2) @ x


def channels_first(query, key, value):
    weights = torch.bmm(query.transpose(1, 2), key).softmax(dim=-1)
    return torch.bmm(value, weights.permute(0, 2, 1))


def linear(q, k, v):
    context = torch.einsum("bnd,bne->bde", k.softmax(dim=1), v)
    return torch.einsum("bnd,bde->bne", q.softmax(dim=-1), context)


def both_ways(one, other):
    scores = torch.bmm(one, other.transpose(1, 2))
    return torch.bmm(scores.softmax(dim=2), other), torch.bmm(scores.softmax(dim=1).transpose(1, 2), one)


def heads(q, k, v):
    return F.softmax(q @ k.mT, dim=3) @ v


x = torch.randn(2, 5, 8)
Slots()(torch.randn(2, 3, 8), x), Clusters(8, 3)(x)
channels_first(x, x, x), linear(x, x, x), both_ways(x, x)
heads(*[torch.randn(2, 3, 5, 4)] * 3)
