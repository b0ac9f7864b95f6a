# argument: chroma
import torch
from kornia.color import yuv422_to_rgb

luma = torch.rand(1, 1, 8, 8)
chroma = torch.rand(1, 2, 8, 8)
image = yuv422_to_rgb(luma, chroma)
