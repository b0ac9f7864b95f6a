# resized to the sizes of another map
import torch
from torch.nn import functional as F

small, large = torch.randn(1, 2, 3, 4), torch.randn(1, 2, 6, 8)
b, c, h, w = large.shape
F.interpolate(small, size=(h, w)), F.interpolate(small, size=large.shape[-2:])
F.interpolate(small, size=(large.size(2), large.size(3)))
F.adaptive_avg_pool2d(large, (small.shape[-2], small.shape[-1]))
F.interpolate(small.transpose(2, 3), size=(large.shape[-2], large.shape[-1]))
F.interpolate(small, size=(h, small.shape[3]))
