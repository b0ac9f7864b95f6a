# a name that is made from itself behind the branch; one that is read under a weaker test
import torch
from torch import nn


class Quantizer(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.codebook, self.dropout = nn.Parameter(torch.ones(4, 2)), dropout

    def forward(self, x, force_f32=False):
        if force_f32:
            codebook = self.codebook.float()  # check: `codebook` has a value only where `force_f32`
        codebook = codebook * 2
        return x @ codebook.T

    def indices(self, layers):
        if self.training and self.dropout:
            last = int(torch.randint(layers, ()))  # check: `last` has a value only where `self.training and self.dropout`
        kept = []
        for layer in range(layers):
            if self.training and layer > last:
                break
            kept.append(layer)
        return kept


def distances(x, codes, scaled=False):
    if scaled:
        embed = (embed - codes.mean(0)) / codes.std(0)  # check: `embed` is made from itself
    embed = codes
    return torch.cdist(x, embed)


x = torch.ones(1, 2)
out = Quantizer(True)(x, force_f32=True), Quantizer(True).indices(3)

# proof
calls = [
    lambda: Quantizer(True)(x),
    lambda: Quantizer(False).indices(3),
    lambda: distances(x, torch.ones(2, 2), scaled=True),
]
for broken in calls:
    try:
        broken()
    except UnboundLocalError:
        continue
    raise AssertionError("it was set")
