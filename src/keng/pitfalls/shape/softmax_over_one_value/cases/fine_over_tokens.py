# scores over tokens; a squeezed dimension; several classes
import torch
from torch import nn
from torch.nn import functional as F


class Pooling(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.score, self.classify = nn.Linear(width, 1), nn.Linear(width, classes)

    def forward(self, x):
        batch, tokens, width = x.shape
        over_tokens = F.softmax(self.score(x), dim=1)
        squeezed = self.score(x).squeeze(-1).softmax(-1)
        turned = self.score(x.view(batch, tokens, width)).transpose(1, 2).softmax(dim=-1)
        return over_tokens, squeezed, turned, F.log_softmax(self.classify(x), dim=-1)


over_tokens, squeezed, turned, _ = Pooling(8, 3)(torch.rand(2, 5, 8))
assert not over_tokens.eq(1).any()
assert torch.allclose(over_tokens.squeeze(-1), squeezed)
assert torch.allclose(turned.squeeze(1), squeezed)
