# a square matrix
import torch
import torch.nn.functional as F

grid = F.affine_grid(torch.eye(3)[None], (1, 3, 8, 8), align_corners=False)  # run: `[1, 3, 3]`
