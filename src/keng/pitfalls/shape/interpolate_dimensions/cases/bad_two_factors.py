# two factors
import torch
import torch.nn.functional as F

image = torch.zeros(3, 8, 8)
large = F.interpolate(image, scale_factor=(2.0, 2.0))  # run: (C, H, W) is no batch
