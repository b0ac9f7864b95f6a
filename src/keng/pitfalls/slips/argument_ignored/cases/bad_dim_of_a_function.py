# a dimension that a function does not pass on
import torch


def joined(tensors, order, dim=0):
    out = torch.cat(tensors, dim=0)  # check: `dim` is accepted
    return out[order]


out = joined([torch.ones(2, 3), torch.zeros(2, 3)], torch.arange(2), dim=1)

# proof
assert out.shape == (2, 3)
