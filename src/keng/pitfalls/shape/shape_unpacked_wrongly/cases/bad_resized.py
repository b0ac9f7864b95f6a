# resized to the sizes of another map, in the wrong order
import torch
from torch.nn import functional as F


def grown(small, large):
    width, height = large.shape[-1], large.shape[-2]
    return F.interpolate(small, size=(width, height))  # check: (height, width)


def pooled(small, large):
    b, c, w, h = small.shape
    return F.adaptive_avg_pool2d(large, (h, w))  # check: (height, width)


small, large = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 6, 8)
big, little = grown(small, large), pooled(small, large)

# proof
assert big.shape[-2:] == (8, 6) and little.shape[-2:] == (4, 3)
