# argument: homography
import torch
from kornia.geometry.conversions import denormalize_homography3d

homography = torch.eye(4, dtype=torch.int64)[None]
matrix = denormalize_homography3d(homography, (4, 4, 4), (4, 4, 4))
