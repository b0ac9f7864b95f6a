# nothing to make
import torch
import torch.nn.functional as F

grid = F.affine_grid(torch.ones(1, 2, 3), [1, 1, 0, 4], align_corners=False)  # run: `[1, 1, 0, 4]`
