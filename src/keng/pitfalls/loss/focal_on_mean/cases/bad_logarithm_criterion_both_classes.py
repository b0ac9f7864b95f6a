# by the logarithm; a criterion; both classes
import torch
from torch import nn
from torch.nn import functional as F


class FocalLoss(nn.Module):
    def __init__(self, weight=None):
        super().__init__()
        self.criterion = nn.CrossEntropyLoss(weight=weight)

    def forward(self, logits, target):
        logpt = -self.criterion(logits, target)
        return -((1 - torch.exp(logpt)) ** 2) * logpt  # check: one weight


def binary_focal_loss(logits, target, alpha=0.25, gamma=2.0):
    bce = F.binary_cross_entropy_with_logits(logits, target, reduction="mean")
    return alpha * torch.pow(1.0 - (-bce).exp(), gamma) * bce  # check: one weight


logits, target = torch.randn(8, requires_grad=True), torch.ones(8)
loss = binary_focal_loss(logits, target)

# proof
plain = F.binary_cross_entropy_with_logits(logits, target)
focal, mean = (torch.autograd.grad(each, logits)[0] for each in (loss, plain))
assert torch.allclose(focal / focal.norm(), mean / mean.norm(), atol=1e-5)
