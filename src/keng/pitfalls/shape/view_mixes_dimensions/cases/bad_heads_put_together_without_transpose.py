# the heads put together without a transpose
import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(16, 16)

    def forward(self, weights, values):
        together = (weights @ values).reshape(2, 6, 16)  # run: (2, 4, 6, 4) before
        return self.out(together)


torch.manual_seed(0)
mixer, weights = Mixer(), torch.rand(2, 4, 6, 6)
values = torch.randn(2, 4, 6, 4, requires_grad=True)
mixer(weights, values).sum().backward()

# proof
heads = weights @ values
assert not torch.equal(heads.reshape(2, 6, 16), heads.transpose(1, 2).reshape(2, 6, 16))
