# argument: norm
import torch
from torch.nn.utils import fuse_conv_bn_eval

conv = torch.nn.Conv2d(3, 8, 3).eval()
norm = torch.nn.BatchNorm2d(8)
fused = fuse_conv_bn_eval(conv, norm)
