# argument: size.to("meta")
import torch
from kornia.geometry.bbox import bbox_generator3d

zero, size = torch.zeros(1), torch.ones(1)
box = bbox_generator3d(zero, zero, zero, size, size, size.to("meta"))
