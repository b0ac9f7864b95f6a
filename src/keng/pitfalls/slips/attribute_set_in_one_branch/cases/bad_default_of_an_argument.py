# read where an argument is left out, as it is by default
import torch
from torch import nn


class Weighted(nn.Module):
    def __init__(self, outputs, weights=None):
        super().__init__()
        if weights is None:
            self.weights = [1.0] * outputs  # check: `self.weights` is set only if `weights is None`

    def forward(self, losses, weights=None):
        if weights is None:
            weights = self.weights
        return sum(w * loss for w, loss in zip(weights, losses))


total = Weighted(2)([torch.tensor(1.0), torch.tensor(2.0)])

# proof
assert not hasattr(Weighted(2, weights=[0.5, 2.0]), "weights")
