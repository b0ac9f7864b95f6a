# features in the place of eps; the result of a collective; the bias of a weight
import torch
import torch.distributed as dist
from torch import nn

channels = 3
norm = nn.BatchNorm1d(channels, channels)  # check: `eps`


def gathered(x, size):
    parts = [torch.zeros_like(x) for _ in range(size)]
    everything = dist.all_gather(parts, x)  # check: returns None
    return everything


def copied(layer, other):
    other.bias.data.copy_(layer.weight.bias)  # check: `layer.weight.bias`


def drawn(batch_size: int):
    return torch.randint(0, 10, size=batch_size)  # check: `(batch_size,)`


def elementwise(prediction, target):
    return nn.functional.mse_loss(prediction, target, reduction=None)  # check: `reduction`


x = torch.randn(64, channels)

# proof
assert norm(x).std() < 0.7
