# infinity where the mask is set; a large number times a mask; infinity times a number
import torch


def scores(values, mask, scale):
    filled = values.masked_fill(mask.bool(), -float("inf"))
    large = values - 1e9 * mask
    best = float("inf") * scale
    return torch.where(mask.bool(), filled, large), best


out = scores(torch.tensor([1.0, 3.0]), torch.tensor([0.0, 1.0]), 2.0)
