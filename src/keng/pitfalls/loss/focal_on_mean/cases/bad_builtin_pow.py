# with Python's own pow
import torch
from torch.nn import functional as F


def binary_focal_loss(logits, target, gamma=2.0):
    bce = F.binary_cross_entropy_with_logits(logits, target)
    return pow(1.0 - torch.exp(-bce), gamma) * bce  # check: one weight


logits, target = torch.randn(8, requires_grad=True), torch.ones(8)
loss = binary_focal_loss(logits, target)

# proof
plain = F.binary_cross_entropy_with_logits(logits, target)
focal, mean = (torch.autograd.grad(each, logits)[0] for each in (loss, plain))
assert torch.allclose(focal / focal.norm(), mean / mean.norm(), atol=1e-5)
