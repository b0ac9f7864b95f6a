import torch
import torch.nn as nn

from .registry import LOSSES


@LOSSES.register("mask")
class MaskLoss(nn.Module):
    def __init__(self, weight=1.0):
        super().__init__()
        self.bce = nn.BCEWithLogitsLoss(size_average=True)  # check: loss-arguments-removed
        self.weight = weight

    def forward(self, pred, target):
        return self.weight * self.bce(pred, target) + self.dice(pred, target)

    def dice(self, pred, target):
        overlap = (pred * target).sum((2, 3))
        return 1 - (2 * overlap / (pred + target).sum((2, 3)).clamp_min(1e-6)).mean()


@LOSSES.register("entropy")
class EntropyLoss(nn.Module):
    def forward(self, logits, target):
        p = torch.softmax(logits, dim=1)
        entropy = -(p * torch.log(torch.softmax(logits, 1))).sum(1)  # check: unstable-log
        return entropy.mean() + nn.functional.kl_div(p, target)  # check: kl-div-wants-log
