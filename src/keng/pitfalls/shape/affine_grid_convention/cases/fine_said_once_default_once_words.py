# the default in one call and the same value in the other; one variable for both; your own grid
import torch
import torch.nn.functional as F

images = torch.arange(16.0).view(1, 1, 4, 4)
same = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
grid = F.affine_grid(same, [1, 1, 4, 4])
warped = F.grid_sample(images, grid, align_corners=False)

aligned = bool(len(images))
grid = F.affine_grid(same, [1, 1, 4, 4], align_corners=aligned)
warped = F.grid_sample(images, grid, align_corners=aligned)

axis = torch.linspace(-1, 1, 4)
own = torch.stack(torch.meshgrid(axis, axis, indexing="xy"), dim=-1)[None]
warped = F.grid_sample(images, own, align_corners=True)
