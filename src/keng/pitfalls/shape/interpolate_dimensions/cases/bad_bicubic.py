# bicubic
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
large = F.interpolate(image, scale_factor=2, mode="bicubic")  # run: (C, H, W) is no batch
